import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlagSpec, Flags } from './flag.ts';
import { FlagError } from './flag-error.ts';
import { flagTable } from './flag-table.ts';
import { globalFlags } from './global-flags.ts';
import { parseFlags } from './parse-flags.ts';

const getFlags: readonly FlagSpec[] = [
  { name: 'all-namespaces', short: 'A', kind: 'bool', help: '' },
  { name: 'output', short: 'o', kind: 'text', help: '' },
  { name: 'selector', short: 'l', kind: 'text', help: '' },
  { name: 'watch', short: 'w', kind: 'bool', help: '' },
  { name: 'label-columns', short: 'L', kind: 'texts', help: '' },
  { name: 'filename', short: 'f', kind: 'lines', help: '' },
  { name: 'chunk-size', kind: 'integer', help: '' },
  { name: 'since', kind: 'duration', help: '' },
  {
    name: 'dry-run',
    kind: 'text',
    bare: 'unchanged',
    choices: ['none', 'server', 'unchanged'],
    help: '',
  },
  { name: 'secret', kind: 'bool', isHidden: true, help: '' },
];
const table = flagTable(getFlags, globalFlags);
const parse = (line: string) => parseFlags(line === '' ? [] : line.split(' '), table);

const cases: readonly [
  line: string,
  args: string[],
  read: (flags: Flags) => unknown,
  is: unknown,
][] = [
  ['pods -o yaml', ['pods'], (f) => f.text('output'), 'yaml'],
  ['-oyaml pods', ['pods'], (f) => f.text('output'), 'yaml'],
  ['-o=yaml pods', ['pods'], (f) => f.text('output'), 'yaml'],
  ['--output yaml pods', ['pods'], (f) => f.text('output'), 'yaml'],
  ['--output=yaml pods web', ['pods', 'web'], (f) => f.text('output'), 'yaml'],
  ['-o jsonpath={.a=b}', [], (f) => f.text('output'), 'jsonpath={.a=b}'],
  ['-ojsonpath={.a=b}', [], (f) => f.text('output'), 'jsonpath={.a=b}'],
  ['--output= pods', ['pods'], (f) => [f.isSet('output'), f.text('output')], [true, '']],
  ['-o json -o yaml', [], (f) => f.text('output'), 'yaml'],
  ['pods -Aw', ['pods'], (f) => [f.bool('all-namespaces'), f.bool('watch')], [true, true]],
  ['pods -Awoyaml', ['pods'], (f) => [f.bool('watch'), f.text('output')], [true, 'yaml']],
  ['pods -Ao yaml', ['pods'], (f) => [f.bool('all-namespaces'), f.text('output')], [true, 'yaml']],
  ['-A=false -w=true', [], (f) => [f.bool('all-namespaces'), f.bool('watch')], [false, true]],
  ['--watch=F', [], (f) => [f.isSet('watch'), f.bool('watch')], [true, false]],
  ['--watch false', ['false'], (f) => f.bool('watch'), true],
  ['pods - x', ['pods', '-', 'x'], (f) => f.isSet('watch'), false],
  ['-l app=x,b!=c', [], (f) => f.text('selector'), 'app=x,b!=c'],
  ['-l -x', [], (f) => f.text('selector'), '-x'],
  ['-La,b -L c', [], (f) => f.texts('label-columns'), ['a', 'b', 'c']],
  ['-L "a,b",c', [], (f) => f.texts('label-columns'), ['a,b', 'c']],
  ['-L=', [], (f) => [f.isSet('label-columns'), f.texts('label-columns')], [true, []]],
  ['-f a,b -f c', [], (f) => f.texts('filename'), ['a,b', 'c']],
  ['--chunk-size -5', [], (f) => f.integer('chunk-size'), -5],
  ['--chunk-size=0x10', [], (f) => f.integer('chunk-size'), 16],
  ['--since 1h1.5s', [], (f) => f.durationMs('since'), 3_601_500],
  ['--since=0', [], (f) => f.durationMs('since'), 0],
  ['--dry-run server', ['server'], (f) => f.text('dry-run'), 'unchanged'],
  ['--dry-run=server', [], (f) => f.text('dry-run'), 'server'],
  ['-v', [], (f) => f.integer('v'), 1],
  ['-v pods', ['pods'], (f) => f.integer('v'), 1],
  ['-v=6', [], (f) => f.integer('v'), 6],
  ['-v6', [], (f) => f.integer('v'), 6],
  ['-v 8 pods', ['pods'], (f) => f.integer('v'), 8],
  ['--v 8 pods', ['pods'], (f) => f.integer('v'), 8],
  ['--v=9', [], (f) => f.integer('v'), 9],
  ['-Av', [], (f) => [f.bool('all-namespaces'), f.integer('v')], [true, 1]],
  ['-vA', [], (f) => [f.bool('all-namespaces'), f.integer('v')], [true, 1]],
  ['-n a,b', [], (f) => f.texts('namespace'), ['a', 'b']],
  ['--timeout 2s', [], (f) => f.durationMs('cluster-timeout'), 2000],
  ['--clusters {a,b}-* --clusters c', [], (f) => f.texts('clusters'), ['{a,b}-*', 'c']],
];

for (const [line, args, read, is] of cases) {
  test(`"${line}" is read as kubectl reads it`, () => {
    const parsed = parse(line);
    assert.deepEqual(parsed.args, args);
    assert.equal(parsed.rest, undefined);
    assert.deepEqual(read(parsed.flags), is);
  });
}

test('what is behind -- is no flag, and no argument either', () => {
  const { args, rest, flags } = parse('pods -A -- ls -w --x -- y');
  assert.deepEqual(args, ['pods']);
  assert.deepEqual(rest, ['ls', '-w', '--x', '--', 'y']);
  assert.equal(flags.bool('watch'), false);
  assert.deepEqual(parse('pods --').rest, []);
});

const errors: readonly [line: string, message: string][] = [
  ['--frob', 'unknown flag: --frob'],
  ['--frob=1', 'unknown flag: --frob'],
  ['--wathc', 'unknown flag: --wathc\n\nDid you mean this?\n\t--watch'],
  ['--secre', 'unknown flag: --secre'],
  ['-x', "unknown shorthand flag: 'x' in -x"],
  ['-Axw', "unknown shorthand flag: 'x' in -Axw"],
  ['---x', 'bad flag syntax: ---x'],
  ['--=x', 'bad flag syntax: --=x'],
  ['--output', 'flag needs an argument: --output'],
  ['-o', "flag needs an argument: 'o' in -o"],
  ['-Ao', "flag needs an argument: 'o' in -Ao"],
  [
    '--watch=maybe',
    'invalid argument "maybe" for "-w, --watch" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  [
    '--chunk-size=x',
    'invalid argument "x" for "--chunk-size" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    '--chunk-size=99999999999999999999',
    'invalid argument "99999999999999999999" for "--chunk-size" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  ['--since=x', 'invalid argument "x" for "--since" flag: time: invalid duration "x"'],
  ['--since=5', 'invalid argument "5" for "--since" flag: time: missing unit in duration "5"'],
  [
    '-v=x',
    'invalid argument "x" for "-v, --v" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  ['--color=red', 'invalid argument "red" for "--color" flag: must be one of auto, always, never'],
];

for (const [line, message] of errors) {
  test(`"${line}" is refused in pflag's words`, () => {
    assert.throws(
      () => parse(line),
      (error) => error instanceof FlagError && error.message === message,
    );
  });
}

test('a verb with a --timeout of its own keeps it, and --cluster-timeout stays', () => {
  const own = flagTable([{ name: 'timeout', kind: 'duration', help: '' }], globalFlags);
  const { flags } = parseFlags(['--timeout=60s', '--cluster-timeout=2s'], own);
  assert.deepEqual(
    [flags.durationMs('timeout'), flags.durationMs('cluster-timeout')],
    [60_000, 2000],
  );
});

test('a letter that a verb uses is not the global one', () => {
  const own = flagTable([{ name: 'nothing', short: 'n', kind: 'bool', help: '' }], globalFlags);
  const { args, flags } = parseFlags(['-n', 'x', '--namespace', 'y'], own);
  assert.deepEqual([args, flags.bool('nothing'), flags.texts('namespace')], [['x'], true, ['y']]);
});

test('asking for a flag that nobody declared is a bug', () => {
  assert.throws(() => parse('').flags.text('frobnicate'), /No table has a flag --frobnicate/);
});

test('no two global flags share a name or a letter', () => {
  const names = globalFlags.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const letters = globalFlags.flatMap(({ short }) => (short === undefined ? [] : [short]));
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(letters).size, letters.length);
});
