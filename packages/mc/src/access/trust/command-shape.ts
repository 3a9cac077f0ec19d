import { basename, isAbsolute, normalize } from 'node:path';

const BARE = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;
/** What a shell, or somebody reading a question, could take for something else. */
const ODD = /[^A-Za-z0-9._+@/\\:() -]/;

/** Programs that run whatever their arguments say: trusting one would be trusting every profile from then on. */
const RUNNERS =
  /^(?:(?:ba|da|z|k|c|tc|a|fi|mk|po?w?er|pw)?sh|fish|powershell|cmd|env|sudo|doas|su|xargs|find|nohup|timeout|setsid|busybox|python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|tclsh|awk|gawk|osascript|wscript|cscript|mshta|rundll32|regsvr32|curl|wget|ssh|nc|ncat|socat|docker|podman|npx|make|git|vim?|emacs)$/;

/**
 * What keeps a command that a profile names from being run at all, whoever trusts it; undefined when nothing. A command
 * is a bare name, looked up in PATH, or an absolute path without detours.
 */
export function commandProblem(command: string): string | undefined {
  if (BARE.test(command)) return undefined;
  if (command.includes('..')) return 'its path leads through ".."';
  if (ODD.test(command)) return 'its name has characters that no command needs';
  if (!isAbsolute(command)) return 'it is neither a bare name nor an absolute path';
  if (normalize(command) !== command) return 'its path has detours';
  return undefined;
}

/** Whether a command runs what its arguments say, as shells and interpreters do. */
export function runsArguments(command: string): boolean {
  return RUNNERS.test(
    basename(command)
      .toLowerCase()
      .replace(/\.(?:exe|cmd|bat|com)$/, ''),
  );
}
