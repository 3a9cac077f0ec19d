import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import type { Io } from '../io.ts';
import { createProgress } from './progress.ts';

const ERASE = '\r\u001b[K';

function world(changes: Partial<Io> = {}): { io: Io; clock: ManualClock; screen: string[] } {
  const clock = new ManualClock();
  const screen: string[] = [];
  const io: Io = {
    out: async (text) => void screen.push(text),
    err: (text) => void screen.push(text),
    stdin: Readable.from([]),
    env: { TERM: 'xterm' },
    homeFolder: '/',
    cwd: '/',
    clock,
    random: () => 0,
    signal: new AbortController().signal,
    terminal: { out: true, err: true, in: true },
    columns: 80,
    ask: async (question) => {
      screen.push(question);
      return undefined;
    },
    ...changes,
  };
  return { io, clock, screen };
}

test('MC-79 nothing is told where stderr is no terminal, is a dumb one, or nobody wants it', async () => {
  const piped = world({ terminal: { out: true, err: false, in: true } });
  const dumb = world({ env: { TERM: 'dumb' } });
  const quiet = world();
  for (const [{ io, clock, screen }, mode] of [
    [piped, 'auto'],
    [dumb, 'auto'],
    [quiet, 'none'],
  ] as const) {
    using run = createProgress(io, mode).start(3);
    run.done();
    await clock.advance(10_000);
    assert.deepEqual(screen, []);
    assert.equal(clock.waiting, 0);
  }
});

test('a run of less than 300 ms shows no line', async () => {
  const { io, clock, screen } = world();
  {
    using run = createProgress(io, 'auto').start(2);
    await clock.advance(299);
    run.done();
    run.done();
  }
  await clock.advance(1000);
  assert.deepEqual(screen, []);
  assert.equal(clock.waiting, 0);
});

test('a longer run shows one line, drawn again only when it changes, and gone at the end', async () => {
  const { io, clock, screen } = world();
  {
    using run = createProgress(io, 'auto').start(2);
    await clock.advance(1000);
    assert.deepEqual(screen, ['0/2 clusters']);
    run.done(() => ['c2', 'evil\u001b[2J']);
    await clock.advance(100);
    assert.deepEqual(screen, ['0/2 clusters', `${ERASE}1/2 clusters, waiting for c2, evil^[[2J`]);
  }
  assert.equal(screen.at(-1), ERASE);
});

test('whatever is written erases the line first, and it comes back afterwards', async () => {
  const { io, clock, screen } = world();
  const progress = createProgress(io, 'auto');
  using _run = progress.start(9);
  await clock.advance(300);

  await progress.io.out('a row\n');
  assert.deepEqual(screen, ['0/9 clusters', ERASE, 'a row\n']);
  await clock.advance(100);
  progress.io.err('Warning: x\n');
  await clock.advance(100);
  await progress.io.ask('sure? ');
  assert.deepEqual(screen.slice(3), [
    '0/9 clusters',
    ERASE,
    'Warning: x\n',
    '0/9 clusters',
    ERASE,
    'sure? ',
  ]);
});

test('a line that is only begun is not written over', async () => {
  const { io, clock, screen } = world();
  const progress = createProgress(io, 'auto');
  using _run = progress.start(9);
  await progress.io.out('half a ');
  await clock.advance(1000);
  assert.deepEqual(screen, ['half a ']);
  await progress.io.out('row\n');
  await clock.advance(100);
  assert.equal(screen.at(-1), '0/9 clusters');
});

test('rows that go to a file leave the line alone', async () => {
  const { io, clock, screen } = world({ terminal: { out: false, err: true, in: true } });
  const progress = createProgress(io, 'auto');
  using _run = progress.start(9);
  await clock.advance(300);
  await progress.io.out('a row without end');
  await clock.advance(1000);
  assert.deepEqual(screen, ['0/9 clusters', 'a row without end']);
});

test('a line is shorter than the terminal is wide', async () => {
  const { io, clock, screen } = world({ columns: 10 });
  using _run = createProgress(io, 'auto').start(5);
  await clock.advance(300);
  assert.deepEqual(screen, ['0/5 clust']);
});

test('standard input is not touched by those who do not read it', () => {
  let isOpened = false;
  const { io } = world();
  const lazy: Io = {
    ...io,
    get stdin() {
      isOpened = true;
      return Readable.from([]);
    },
  };
  const progress = createProgress(lazy, 'auto');
  assert.equal(isOpened, false);
  assert.ok(progress.io.stdin);
  assert.equal(isOpened, true);
});
