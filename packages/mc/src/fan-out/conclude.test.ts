import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenPipe, Interrupted } from '../io.ts';
import { accessTo } from '../testing/raw-member.ts';
import { chooseColours } from '../text/colour.ts';
import { type ConcludeDeps, createConclude } from './conclude.ts';
import type { Failure, Outcome, OutcomeStatus } from './outcome.ts';
import { clusterOf, routeOf } from './testing/test-fleet.ts';

function outcome(
  name: string,
  status: OutcomeStatus,
  failure?: Partial<Failure>,
): Outcome<unknown> {
  return {
    cluster: clusterOf(name),
    status,
    elapsedMs: 120,
    route: routeOf(accessTo(`https://${name}.test`)),
    ...(failure === undefined ? {} : { failure: { reason: 'Error', message: '', ...failure } }),
  };
}

const ok = (...names: string[]) => names.map((name) => outcome(name, 'ok'));
const dead = (name: string) =>
  outcome(name, 'unreachable', { message: `Cannot reach "https://${name}.test": refused` });
const absent = (name: string) =>
  outcome(name, 'absent', { reason: 'NotFound', code: 404, message: 'pods "nginx" not found' });
const many = (count: number) => Array.from({ length: count }, (_, at) => `c${at + 1}`);

function conclude(
  outcomes: readonly Outcome<unknown>[],
  options: {
    verbosity?: number;
    allowPartial?: boolean;
    requireAll?: boolean;
    reason?: Error;
    colours?: ConcludeDeps['colours'];
  } = {},
): { code: number; stderr: string } {
  const { verbosity = 0, allowPartial = false, requireAll = false, reason, colours } = options;
  const stop = new AbortController();
  if (reason !== undefined) stop.abort(reason);
  let stderr = '';
  const err = (text: string) => {
    stderr += text;
  };
  const settings = { verbosity, execution: { allowPartial, requireAll } };
  const code = createConclude({ io: { err, signal: stop.signal }, settings, colours })(outcomes);
  return { code, stderr };
}

test('when all answered nothing is said', () => {
  assert.deepEqual(conclude([...ok('a'), outcome('b', 'empty')]), { code: 0, stderr: '' });
  assert.deepEqual(conclude([]), { code: 0, stderr: '' });
});

test('MC-39 some failures are a warning with the count and exit code 3, and a few are listed', () => {
  assert.deepEqual(conclude([...ok(...many(8)), dead('x'), dead('y')]), {
    code: 3,
    stderr: `Warning: Failed to query 2/10 clusters. Run with -v for details.
  x: unreachable: Cannot reach "https://x.test": refused
  y: unreachable: Cannot reach "https://y.test": refused
`,
  });
});

test('more than a few failures are counted, and listed with -v', () => {
  const outcomes = [...ok('a'), ...many(4).map(dead)];
  assert.deepEqual(conclude(outcomes), {
    code: 3,
    stderr: 'Warning: Failed to query 4/5 clusters. Run with -v for details.\n',
  });
  const { stderr } = conclude(outcomes, { verbosity: 1 });
  assert.match(stderr, /^Warning: Failed to query 4\/5 clusters\.\n {2}c1: unreachable/);
  assert.match(stderr, /\n {2}a: ok after 120ms \(https:\/\/a\.test\)\n$/);
  assert.equal(stderr.split('\n').length, 7);
});

test('--allow-partial makes a partial answer a success, and no answer stays none', () => {
  assert.equal(conclude([...ok('a'), dead('b')], { allowPartial: true }).code, 0);
  assert.equal(conclude([dead('b')], { allowPartial: true }).code, 1);
});

test('MC-41 a time limit is told as it is, with the hint behind it', () => {
  const late = outcome('c3', 'timeout', { message: 'timeout after 30s (https://c3.test)' });
  const { stderr } = conclude([...ok('a'), late], { verbosity: 1 });
  assert.match(stderr, /\n {2}c3: timeout after 30s \(https:\/\/c3\.test\)\n/);
  const out = outcome('c4', 'unauthorized', { message: 'Unauthorized', hint: 'run: az login' });
  assert.match(conclude([...ok('a'), out]).stderr, /c4: unauthorized: Unauthorized; run: az login/);
});

test('MC-42 the text of a refusal is cut where nobody asked, and whole with -v', () => {
  const text = `pods is forbidden: ${'x'.repeat(300)}`;
  const refused = outcome('c', 'forbidden', { message: text, code: 403 });
  assert.match(conclude([...ok('a'), refused]).stderr, /x…\n/);
  assert.ok(conclude([...ok('a'), refused], { verbosity: 1 }).stderr.includes(`${text}\n`));
});

test('MC-45 one cause of many clusters is told once', () => {
  const missing = (name: string) =>
    outcome(name, 'noaccess', { message: 'executable aws not found', hint: 'brew install awscli' });
  assert.deepEqual(conclude([...ok('a'), ...many(12).map(missing)]), {
    code: 3,
    stderr: `Warning: Failed to query 12/13 clusters. Run with -v for details.
  c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 and 2 more: noaccess: executable aws not found; brew install awscli
`,
  });
});

test('MC-48 when all fail every cause is listed and the exit code is 1', () => {
  const { code, stderr } = conclude(many(10).map(dead));
  assert.equal(code, 1);
  assert.match(stderr, /^error: Failed to query 10\/10 clusters\.\n/);
  for (const name of many(10)) assert.match(stderr, new RegExp(`\\n {2}${name}: unreachable`));
});

test('MC-33 what no cluster has is told once, in the words of kubectl', () => {
  assert.deepEqual(conclude(many(10).map(absent)), {
    code: 1,
    stderr: 'Error from server (NotFound): pods "nginx" not found (in 10 clusters)\n',
  });
  assert.equal(
    conclude([absent('a')]).stderr,
    'Error from server (NotFound): pods "nginx" not found\n',
  );
  assert.deepEqual(conclude([...ok('a'), absent('b')]), { code: 0, stderr: '' });
  assert.match(
    conclude([...ok('a'), absent('b')], { verbosity: 1 }).stderr,
    /^ {2}b: absent: pods "nginx" not found\n/,
  );
});

test('MC-33 with --require-all those that lack it are failures, listed', () => {
  const outcomes = [...ok('x', 'y'), ...many(8).map(absent)];
  assert.deepEqual(conclude(outcomes, { requireAll: true }), {
    code: 3,
    stderr: `Warning: Failed to query 8/10 clusters. Run with -v for details.
  c1, c2, c3, c4, c5, c6, c7, c8: absent: pods "nginx" not found
`,
  });
});

test('what no cluster has is told the same under --require-all', () => {
  assert.deepEqual(conclude(many(2).map(absent), { requireAll: true }), {
    code: 1,
    stderr: 'Error from server (NotFound): pods "nginx" not found (in 2 clusters)\n',
  });
});

test('MC-34 a type that no cluster knows gives the words of kubectl', () => {
  const unknown = (name: string) =>
    outcome(name, 'absent', {
      reason: 'NoSuchType',
      message: 'the server doesn\'t have a resource type "widgets"',
    });
  assert.deepEqual(conclude(many(3).map(unknown)), {
    code: 1,
    stderr: 'error: the server doesn\'t have a resource type "widgets"\n',
  });
});

test('absent here and dead there is nothing at all', () => {
  const { code, stderr } = conclude([absent('a'), dead('b')]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: Failed to query 1\/2 clusters\.\n {2}b: .*\nError from server/);
});

test('clusters without a way are named once with what to do, and are no failure of their own', () => {
  const lost = (name: string) => outcome(name, 'skipped', { reason: 'NoRoute' });
  assert.deepEqual(conclude([...ok('a'), lost('b'), lost('c')]), {
    code: 0,
    stderr: 'Skipped without a way to reach them: b, c. Run: kubectl mc setup\n',
  });
  assert.equal(conclude([lost('b')]).code, 1);
  const { stderr } = conclude([...ok('a'), lost('b'), dead('x')]);
  assert.match(stderr, /Failed to query 1\/2 clusters/);
  const ill = outcome('d', 'skipped', { reason: 'Unhealthy' });
  assert.deepEqual(conclude([...ok('a'), ill]), {
    code: 0,
    stderr: 'Skipped because the hub calls them unhealthy: d\n',
  });
});

test('MC-49 what was not started after a failure is listed', () => {
  const gone = (name: string, reason: string) => outcome(name, 'cancelled', { reason });
  const rest = [gone('b', 'Cancelled'), gone('c', 'NotStarted'), gone('d', 'NotStarted')];
  const { code, stderr } = conclude([dead('a'), ...rest]);
  assert.equal(code, 1);
  assert.match(stderr, /\nCancelled: b\nNot started: c, d\n$/);
  assert.equal(conclude([...ok('x'), dead('a'), ...rest]).code, 3);
});

test('MC-51 who ends a run gets 130 or 143, and hears what was cancelled', () => {
  const outcomes = [...ok('a'), outcome('b', 'cancelled', { reason: 'Cancelled' })];
  assert.deepEqual(conclude(outcomes, { reason: new Interrupted(130) }), {
    code: 130,
    stderr: 'Cancelled: b\n',
  });
  assert.equal(conclude(outcomes, { reason: new Interrupted(143) }).code, 143);
});

test('MC-52 a reader that has left hears nothing', () => {
  const outcomes = [dead('a'), outcome('b', 'cancelled', { reason: 'Cancelled' })];
  assert.deepEqual(conclude(outcomes, { reason: new BrokenPipe() }), { code: 0, stderr: '' });
});

test('names from profiles are shown and not obeyed', () => {
  const { stderr } = conclude([...ok('a'), dead('evil\u001b[2J\n')]);
  assert.match(stderr, / {2}evil\^\[\[2J\\n: unreachable/);
});

test('errors are red and clusters have their colours where colours are on', () => {
  const terminal = { out: true, err: true, in: true };
  const { err: colours } = chooseColours('auto', { terminal, env: {} });
  const { stderr } = conclude([dead('a')], { colours });
  assert.ok(stderr.startsWith('\u001b[31merror: Failed to query 1/1 clusters.\u001b[0m\n'));
  assert.ok(stderr.includes(colours.cluster('a')));
});
