import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Seeded, seeded } from '../testing/seeded.ts';
import { parseYaml } from './parse-yaml.ts';
import { NOT_PLAIN, readPlainYaml } from './plain-yaml.ts';

const KUBECONFIG = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTi+/==
    server: https://127.0.0.1:6443
  name: c1
contexts:
- context:
    cluster: c1
    namespace: ""
    user: c1
  name: c1
current-context: c1
kind: Config
preferences: {}
users:
- name: c1
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      args:
      - eks
      - get-token
      - --cluster-name
      - c1
      command: aws
      env: null
      interactiveMode: IfAvailable
      provideClusterInfo: false
`;

/** Everything of a line that has a meaning, rightly and wrongly placed. */
const KEYS = ['a', 'b', 'a-b', 'x.y/z', 'y', 'null', '1', '__proto__', 'long key', '"q"', '<<'];
const VALUES = [
  ...['', 'x', 'two words', 'https://h:1/p', 'a: b', 'a:', '-', '- x', '--flag', '-1', '0x1f'],
  ...['1.5', '.inf', 'true', 'off', '~', 'null', '""', "''", '"q"', '{}', '[]', '{a: 1}', '[1]'],
  ...['|', '>-', '&a x', '*a', '!!str 1', '# no', 'x # no', 'x#y', ' x', 'x ', 'é', '\t', 'a,b'],
  ...['@x', 'x@y', '%', '`', '=', '?', ': x', '123456789012345678901234567890', '1_000', '007'],
];

const LIKELY = ['x', 'two words', 'https://h:1/p', '--flag', '-1', 'true', '~', '{}', '""', '007'];

function anyLine(random: Seeded): string {
  const indent = ' '.repeat(random.pick([0, 0, 0, 1, 2, 2, 4]));
  const dash = random.pick(['', '', '- ', '-', '-  ']);
  const key = random.pick(['', ...KEYS, ...KEYS]);
  const colon = key === '' ? '' : random.pick([': ', ': ', ':', ' : ', ':  ']);
  const tail = random.below(40) === 0 ? random.pick([' ', '\r', '\t']) : '';
  return `${indent}${dash}${key}${colon}${random.pick(VALUES)}${tail}`;
}

/** Mostly right: lines that stand to each other as in a kubeconfig. */
function likelyText(random: Seeded): string {
  const value = () => random.pick(random.below(12) === 0 ? VALUES : LIKELY);
  const pairs = (indent: string) =>
    ['a', 'b', 'c'].slice(random.below(3)).map((key) => `${indent}${key}: ${value()}`);
  const lines = random.some(4, () => {
    const key = random.pick(['clusters', 'users', 'k', 'extra']);
    const indent = random.pick(['', '  ']);
    const items = random.some(3, () => [
      `${indent}- name: ${value()}`,
      `${indent}  inner:${random.pick(['', ` ${value()}`])}`,
      ...(random.below(2) === 0 ? pairs(`${indent}    `) : []),
    ]);
    return [`${key}:`, ...items.flat()];
  });
  return lines
    .flat()
    .join('\n')
    .replaceAll(/ +$/gm, random.below(4) === 0 ? ' ' : '');
}

/** What the parser of all YAML makes of it; undefined for what it refuses. */
function parsed(text: string): { readonly value: unknown; readonly isStrict: boolean } | undefined {
  try {
    const { value, strictError } = parseYaml(text);
    return { value, isStrict: strictError === undefined };
  } catch {
    return undefined;
  }
}

describe('plain YAML', () => {
  test('a kubeconfig as programs write it is read as the parser of all YAML reads it', () => {
    const value = readPlainYaml(KUBECONFIG);

    assert.notEqual(value, NOT_PLAIN);
    assert.deepEqual(value, parseYaml(KUBECONFIG).value);
    assert.deepEqual(readPlainYaml(Buffer.from(KUBECONFIG)), value);
  });

  for (const [what, text] of [
    ['nothing at all', ''],
    ['no end of the last line', 'a: 1'],
    ['a comment', 'a: 1 # one\n'],
    ['a second document', 'a: 1\n---\nb: 1\n'],
    ['a key that stands twice', 'a: 1\na: 2\n'],
    ['a text over two lines', 'a: one\n  two\n'],
    ['an anchor', 'a: &x 1\n'],
    ['quotes', 'a: "b\\n"\n'],
    ['a mapping in a line', 'a: {b: 1}\n'],
    ['a number that is no JSON', 'a: .inf\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
    ['lines of Windows', 'a: 1\r\n'],
    ['JSON', '{"a": 1}\n'],
    ['bytes that are no text', Buffer.from([0x61, 0x3a, 0x20, 0xff, 0x0a])],
    ['more depth than anybody keeps', deep(40)],
  ] as const) {
    test(`${what} is left to the parser of all YAML`, () => {
      assert.equal(readPlainYaml(text), NOT_PLAIN);
    });
  }

  test('whatever is read is what the parser of all YAML reads, and what that refuses is refused', () => {
    const random = seeded(7);
    let read = 0;
    for (let turn = 0; turn < 20_000; turn += 1) {
      const text =
        turn % 2 === 0
          ? `${likelyText(random)}\n`
          : `${[anyLine(random), ...random.some(4, () => anyLine(random))].join('\n')}\n`;
      const value = readPlainYaml(text);
      if (value === NOT_PLAIN) continue;
      read += 1;
      assert.deepEqual({ value, isStrict: true }, parsed(text), text);
    }
    assert.ok(read > 2_000, `only ${read} texts were plain`);
  });
});

function deep(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
}
