import type { Verb } from '../verb.ts';
import type { FlagSpec } from './flag.ts';
import { type FlagGroup, globalFlagGroups } from './global-flags.ts';

const LINE = 100;
/** Longer names have their help on the next line. */
const WIDEST = 34;

const VERB_GROUPS: readonly { readonly title: string; readonly names: ReadonlySet<string> }[] = [
  {
    title: 'Look',
    names: new Set(
      'get describe logs top events explain api-resources api-versions version auth diff wait clusters'.split(
        ' ',
      ),
    ),
  },
  {
    title: 'Change',
    names: new Set(
      'apply create delete patch replace scale set label annotate taint cordon uncordon drain rollout edit expose autoscale retry undo'.split(
        ' ',
      ),
    ),
  },
  { title: 'Enter', names: new Set(['exec', 'attach', 'cp', 'port-forward', 'debug']) },
  { title: 'Set up', names: new Set(['setup', 'config', 'cache', 'doctor', 'completion']) },
  { title: 'Use with other tools', names: new Set(['each', 'kubeconfig', 'credential']) },
];

/** A verb as it is listed. */
export interface ListedVerb {
  readonly name: string;
  readonly summary: string;
}

/** `kubectl mc --help`. */
export function rootHelp(verbs: readonly ListedVerb[]): string {
  const groupOf = ({ name }: ListedVerb): string =>
    VERB_GROUPS.find(({ names }) => names.has(name.split(' ')[0] ?? ''))?.title ?? 'Other';
  const groups = [...VERB_GROUPS.map(({ title }) => title), 'Other']
    .map((title) => ({ title, listed: verbs.filter((verb) => groupOf(verb) === title) }))
    .filter(({ listed }) => listed.length > 0);
  const width = Math.max(0, ...verbs.map(({ name }) => name.length)) + 3;
  return [
    'kubectl mc asks every cluster of a fleet as if they were one.\n\n',
    ...groups.map(({ title, listed }) => `${title}:\n${verbLines(listed, width)}\n`),
    'Usage:\n  kubectl mc VERB [ARGUMENTS] [FLAGS]\n\n',
    'Use "kubectl mc VERB --help" for more about a verb.\n',
    'Use "kubectl mc options" for the flags that every verb has.\n',
  ].join('');
}

/** Help of a first word that has verbs behind it, such as `auth`. */
export function parentHelp(parent: string, verbs: readonly ListedVerb[]): string {
  const width = Math.max(0, ...verbs.map(({ name }) => name.length)) + 3;
  return [
    `Verbs of ${parent}:\n${verbLines(verbs, width)}\n`,
    `Usage:\n  kubectl mc ${parent} VERB [ARGUMENTS] [FLAGS]\n\n`,
    `Use "kubectl mc ${parent} VERB --help" for more about a verb.\n`,
  ].join('');
}

/** `kubectl mc VERB --help`. */
export function verbHelp(verb: Verb): string {
  const { summary, usage, examples = [], flags, aliases = [] } = verb;
  return [
    `${summary}.\n\n`.replace('..', '.'),
    aliases.length === 0 ? '' : `Aliases:\n  ${[verb.name, ...aliases].join(', ')}\n\n`,
    examples.length === 0 ? '' : `Examples:\n${examples.map((each) => `  ${each}\n`).join('')}\n`,
    flags.some(({ isHidden }) => isHidden !== true) ? `Flags:\n${flagLines(flags)}\n` : '',
    `Usage:\n  kubectl mc ${usage} [FLAGS]\n\n`,
    'Use "kubectl mc options" for the flags that every verb has.\n',
  ].join('');
}

/** `kubectl mc options`. */
export function optionsHelp(groups: readonly FlagGroup[] = globalFlagGroups): string {
  return [
    'Flags that every verb has.\n\n',
    groups.map(({ title, flags }) => `${title}:\n${flagLines(flags)}`).join('\n'),
  ].join('');
}

function verbLines(verbs: readonly ListedVerb[], width: number): string {
  return verbs.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}\n`).join('');
}

function flagLines(flags: readonly FlagSpec[]): string {
  const shown = flags.filter(({ isHidden }) => isHidden !== true);
  const names = shown.map(nameOf);
  const fitting = names.filter(({ length }) => length <= WIDEST);
  const width = Math.max(0, ...fitting.map(({ length }) => length)) + 3;
  return shown
    .map((spec, index) => {
      const name = names[index] ?? '';
      const help = wrap(spec.help, LINE - width - 2).join(`\n${' '.repeat(width + 2)}`);
      const start =
        name.length <= WIDEST ? name.padEnd(width) : `${name}\n${' '.repeat(width + 2)}`;
      return `  ${start}${help}\n`;
    })
    .join('');
}

/** `-o, --output FORMAT`, with four blanks where there is no letter. */
function nameOf({ name, short, kind, value, bare, aliases = [] }: FlagSpec): string {
  const letter = short === undefined ? '    ' : `-${short}, `;
  const names = [name, ...aliases].map((each) => `--${each}`).join(', ');
  if (kind === 'bool') return `${letter}${names}`;
  const shown = value ?? (kind === 'integer' ? 'N' : kind === 'duration' ? 'DURATION' : 'TEXT');
  return bare === undefined ? `${letter}${names} ${shown}` : `${letter}${names}[=${shown}]`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
