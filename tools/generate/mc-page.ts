import type { FlagSpec } from '../../packages/mc/src/flags/flag.ts';
import { globalFlagGroups } from '../../packages/mc/src/flags/global-flags.ts';
import { configKeys, isConfigKey, variableOf } from '../../packages/mc/src/settings/config-keys.ts';
import type { Verb } from '../../packages/mc/src/verb.ts';
import { verbs } from '../../packages/mc/src/verbs/table.ts';

/** The file of the page. */
export const MC_PAGE = 'kubectl-mc.md';

/** What the list of pages says of it. */
export const MC_SUMMARY = 'every verb, flag and setting of the kubectl plugin.';

/** The reference of `kubectl mc`, from nothing but its own tables. */
export async function mcPage(): Promise<string> {
  const all = await loadVerbs();
  return [
    '# kubectl mc',
    '<!-- Generated from packages/mc by "npm run generate -- kinds"; do not edit. -->',
    'How to begin: [the guide](../guides/kubectl-mc.md).',
    '## Verbs',
    ...all.flatMap(verbSection),
    '## Flags of every verb',
    ...globalFlagGroups.flatMap(({ title, flags }) => [`### ${title}`, flagTable(flags)]),
    '## Settings',
    'Keys of `~/.kube/kubectl-mc-config.yaml`. Flags count more than variables, variables more than the file; `kubectl mc config view` shows what holds.',
    table(['Key', 'Variable', 'Value'], settingRows()),
    '## Exit codes',
    table(['Code', 'Meaning'], EXIT_CODES),
    '',
  ].join('\n\n');
}

const EXIT_CODES: readonly (readonly string[])[] = [
  ['0', 'all clusters answered; what only some of them have is no failure'],
  ['1', 'nothing succeeded, the command line is wrong, or the hub cannot be asked'],
  ['3', 'some clusters failed; `--allow-partial` makes it 0'],
  ['4', '`wait`: the condition is not met somewhere'],
  ['130, 143', 'interrupted, terminated'],
  ['0, 1, 2', '`diff`: no difference, differences, trouble'],
];

/** Under their own names, without those that only programs call. */
async function loadVerbs(): Promise<Verb[]> {
  const named = Object.entries(verbs).filter(([name]) => !name.startsWith('_'));
  const loaded = await Promise.all(
    named.map(async ([name, load]) => ({ name, verb: await load() })),
  );
  return loaded.flatMap(({ name, verb }) => (name === verb.name ? [verb] : []));
}

function verbSection({ name, usage, summary, examples = [], flags }: Verb): string[] {
  const shown = flags.filter(({ isHidden }) => isHidden !== true);
  return [
    `### ${name}`,
    `${summary}.`.replace('..', '.'),
    `\`\`\`\nkubectl mc ${usage} [FLAGS]\n\`\`\``,
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
    ...(shown.length === 0 ? [] : [flagTable(shown)]),
  ];
}

function flagTable(flags: readonly FlagSpec[]): string {
  return table(
    ['Flag', 'Meaning'],
    flags.filter(({ isHidden }) => isHidden !== true).map((flag) => [flagName(flag), flag.help]),
  );
}

function flagName({ name, short, aliases = [], kind, value }: FlagSpec): string {
  const names = [
    ...(short === undefined ? [] : [`-${short}`]),
    ...[name, ...aliases].map((each) => `--${each}`),
  ];
  const shown = kind === 'bool' ? '' : ` ${value ?? kind.toUpperCase()}`;
  return names.map((each) => `\`${each}${shown}\``).join(', ');
}

function settingRows(): string[][] {
  return Object.keys(configKeys)
    .filter(isConfigKey)
    .map((key) => [`\`${key}\``, `\`${variableOf(key)}\``, configKeys[key].allowed]);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
