import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LogPosition } from './log-position.ts';
import { type LogTime, readLogTime } from './log-time.ts';

/** A log as kubelets keep it: each line its time, in the order it was written. */
type Log = readonly string[];

function timeOf(text: string): LogTime {
  const time = readLogTime(Buffer.from(`2026-01-01T${text} x`));
  assert.ok(time !== undefined);
  return time;
}

/** What a kubelet sends since a second: each line by itself, wherever it stands. */
function since(log: Log, sinceTime: string): Log {
  const from = Date.parse(sinceTime) / 1_000;
  return log.filter((text) => timeOf(text).seconds >= from);
}

/** Reads `taken` lines of the window, loses the connection, and gives what is printed of the rest. */
function readOn(log: Log, { from = 0, taken }: { from?: number; taken: number }): Log {
  const position = new LogPosition({ isWhole: from === 0 });
  for (const text of log.slice(from, taken)) position.pass(timeOf(text));
  const resumption = position.resume();
  assert.ok(resumption !== undefined);
  return since(log, resumption.sinceTime).filter((text) => !resumption.isKnown(timeOf(text)));
}

describe('a log that is cut off goes on', () => {
  const logs: Readonly<Record<string, Log>> = {
    'one line a second': ['00:00:01Z', '00:00:02Z', '00:00:03Z'],
    'many lines in a second': ['00:00:01.1Z', '00:00:01.2Z', '00:00:01.3Z', '00:00:02.1Z'],
    'lines of one and the same time': ['00:00:01Z', '00:00:01Z', '00:00:01Z', '00:00:01Z'],
    'times that are out of order': ['00:00:01.5Z', '00:00:01.4Z', '00:00:01.6Z', '00:00:01.1Z'],
    nanoseconds: ['00:00:01.000000001Z', '00:00:01.000000002Z', '00:00:01.000000003Z'],
    'a second without lines': ['00:00:05.1Z', '00:00:05.2Z', '00:00:07.1Z', '00:00:07.2Z'],
    'a line that is late by a second': [
      '00:00:05.9Z',
      '00:00:06.0Z',
      '00:00:05.95Z',
      '00:00:06.1Z',
    ],
    'another time zone': ['01:00:01.5+01:00', '00:00:01.6Z', '02:00:02.1+02:00'],
  };
  for (const [title, log] of Object.entries(logs)) {
    test(`with what follows, wherever that was: ${title}`, () => {
      for (let taken = 1; taken <= log.length; taken += 1) {
        assert.deepEqual(readOn(log, { taken }), log.slice(taken), `after ${taken}`);
      }
    });
  }

  test('also when it began in the middle of a second', () => {
    const log = ['00:00:01.1Z', '00:00:01.2Z', '00:00:01.3Z', '00:00:01.4Z', '00:00:02Z'];
    for (let taken = 2; taken <= log.length; taken += 1) {
      assert.deepEqual(readOn(log, { from: 1, taken }), log.slice(taken), `after ${taken}`);
    }
  });

  test('also when what was there before is gone, as after a rotation', () => {
    const position = new LogPosition({ isWhole: true });
    for (const text of ['00:00:01.1Z', '00:00:01.2Z', '00:00:01.3Z']) position.pass(timeOf(text));
    const { isKnown } = position.resume() ?? { isKnown: () => true };
    assert.deepEqual(
      ['00:00:01.3Z', '00:00:01.4Z', '00:00:01.5Z'].filter((text) => !isKnown(timeOf(text))),
      ['00:00:01.4Z', '00:00:01.5Z'],
    );
  });

  test('also when the server sends more than it was asked for', () => {
    const position = new LogPosition({ isWhole: true });
    const log = ['00:00:01Z', '00:00:02.1Z', '00:00:02.2Z'];
    for (const text of log) position.pass(timeOf(text));
    const { isKnown } = position.resume() ?? { isKnown: () => false };
    assert.deepEqual(
      [...log, '00:00:03Z'].filter((text) => !isKnown(timeOf(text))),
      ['00:00:03Z'],
    );
  });
});

test('whoever has read nothing does not know where to go on', () => {
  assert.equal(new LogPosition({ isWhole: true }).resume(), undefined);
});

test('what is no time at the beginning of a line is text', () => {
  for (const line of [
    '',
    'hello',
    '2026-01-01 00:00:00 text',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.Z x',
    '2026-01-01T00:00:00+2 x',
    ' 2026-01-01T00:00:00Z x',
  ]) {
    assert.equal(readLogTime(Buffer.from(line)), undefined, line);
  }
  assert.deepEqual(readLogTime(Buffer.from('2026-01-01T00:00:00.5-07:30 x')), {
    seconds: Date.parse('2026-01-01T07:30:00Z') / 1_000,
    nanos: 500_000_000,
    text: '2026-01-01T00:00:00.5-07:30',
  });
});
