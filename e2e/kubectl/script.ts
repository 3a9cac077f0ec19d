// A script is shell commands as a person would type them. A line that starts with `#` is a comment;
// `#! unordered` before a command says that the order of its output lines is chance.

/** One command of a script, with its here-documents. */
export interface Command {
  readonly text: string;
  readonly unordered: boolean;
}

/** The commands of a script, in order. */
export function parseScript(text: string): Command[] {
  const commands: Command[] = [];
  let unordered = false;
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '#! unordered') unordered = true;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const block = [line];
    const end = /<<\s*'?(\w+)'?/.exec(line)?.[1];
    while (end !== undefined && lines[index] !== end) {
      index += 1;
      if (index >= lines.length) throw new Error(`Cannot read "${line}": no line "${end}" ends it`);
      block.push(lines[index] ?? '');
    }
    commands.push({ text: block.join('\n'), unordered });
    unordered = false;
  }
  return commands;
}
