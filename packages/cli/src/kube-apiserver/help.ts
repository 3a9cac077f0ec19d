import { FLAGS } from './flag-table.ts';

const WIDTH = 44;

/** What `--help` prints: one flag a line, as envtest looks for them. */
export function helpText(): string {
  const lines = Object.entries(FLAGS).map(
    ([name, { kind, help }]) => `      ${`--${name} ${PLACE[kind]}`.padEnd(WIDTH)} ${help}`,
  );
  return [
    "Flotilla's stand-in for kube-apiserver: the Kubernetes API for test suites, in memory.",
    '',
    'Usage:',
    '  kube-apiserver [flags]',
    '',
    'Flags:',
    ...lines,
    `      ${'--version'.padEnd(WIDTH)} say what this is, and end`,
    '',
    'Other flags of kube-apiserver are named once on stderr and then ignored.',
    '',
  ].join('\n');
}

const PLACE = {
  text: 'string',
  texts: 'stringArray',
  list: 'strings',
  number: 'int',
  boolean: '',
} as const;
