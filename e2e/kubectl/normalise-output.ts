import { createNormaliser } from '../../conformance/index.ts';
import type { Output } from './run-command.ts';
import type { Command } from './script.ts';

// No more than two digits of minutes: 500m is an amount of CPU.
const AGE = /(?<![\w.=:"'-])(\d+s|\d{1,2}m(\d+s)?|\d+[hdy](\d+[mhd])?)(?= ago\b|[\s)]|$)/gm;
const NODE_PORT = /\b3[0-2]\d{3}\b(?=\/|\s)/g;
const GENERATED = /\b(gen-|job-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const JWT = /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g;
const LOG_HEADER = /^[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /gm;
// What client-go says of a watch that it ended itself, when the end overtakes its own order to stop.
const OWN_END = /^.*\bWarning: watch ended with error\b.*\bcontext canceled\b.*\n?/gm;
const DIFF_FILE = /\/tmp\/(LIVE|MERGED)-\d+\//g;
const DIFF_TIME = /\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000/g;
// As describe prints it for some kinds.
const SPACED_TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000 UTC/g;
// As helm prints it.
const ANSI_TIME = /\b\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\b/g;
const LONG_TIME = /\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g;
const REVISION = /(resource ?version"?: *"?)\d+/gi;
const MANAGED_FIELDS = /,"managedFields":\[[^\]]*\]/g;
const CONTINUE = /("continue":")[^"]+/g;
const EDIT_FILE = /\/tmp\/kubectl-edit-[\w.-]+/g;

/** A command's output with what two equal servers may print differently taken out. */
export function normaliseOutput(
  output: Output,
  context: { readonly command: Command; readonly server: string; readonly now: number },
): Output {
  const normaliser = createNormaliser({ now: context.now });
  normaliser.replace(context.server, '<server>');
  const clean = (text: string) => {
    const stable = normaliser
      .text(text.replace(JWT, (token) => JSON.stringify(normaliser.value(token))))
      .replace(OWN_END, '')
      .replace(LOG_HEADER, '')
      .replace(DIFF_FILE, '/tmp/$1/')
      .replace(DIFF_TIME, '\t<time>')
      .replace(LONG_TIME, '<time>')
      .replace(SPACED_TIME, '<time>')
      .replace(ANSI_TIME, '<time>')
      .replace(REVISION, '$1<rv>')
      .replace(MANAGED_FIELDS, '')
      .replace(CONTINUE, '$1<continue>')
      .replace(EDIT_FILE, '/tmp/<file>')
      .replace(GENERATED, '$1<suffix>');
    const padded = stable.replace(AGE, '<age>').replace(NODE_PORT, '<node-port>');
    // Their width moves the columns of a table.
    const moved = padded !== stable || /<cluster-ip>|<age>|<suffix>|<time>/.test(padded);
    return order(
      moved ? padded.replace(/(?<=\S) {2,}/g, '  ').replace(/ +(?=\t|$)/gm, '') : padded,
      context,
    );
  };
  const stdout = isExplain(context.command) ? withoutDescriptions(output.stdout) : output.stdout;
  return { code: output.code, stdout: clean(stdout), stderr: clean(output.stderr) };
}

function isExplain({ text }: Command): boolean {
  return text.includes('kubectl explain');
}

/** What remains of `kubectl explain` without upstream's description texts. */
function withoutDescriptions(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^(GROUP|KIND|VERSION|RESOURCE|FIELD|FIELDS):|^ +\S+\t</.test(line))
    .join('\n');
}

function order(text: string, { command }: { readonly command: Command }): string {
  return command.unordered ? text.split('\n').sort().join('\n') : text;
}
