import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationToMs, formatDuration, parseDuration } from './duration.ts';
import { humanDuration, shortHumanDuration } from './human-duration.ts';
import * as instant from './instant.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('ages are shown as kubectl shows them', () => {
  const cases: [number, string, string][] = [
    [-2001, '<invalid>', '<invalid>'],
    [-1500, '0s', '0s'],
    [0, '0s', '0s'],
    [119_999, '119s', '1m'],
    [2 * MINUTE, '2m', '2m'],
    [3 * MINUTE + 5 * SECOND, '3m5s', '3m'],
    [10 * MINUTE + 5 * SECOND, '10m', '10m'],
    [179 * MINUTE, '179m', '2h'],
    [3 * HOUR, '3h', '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m', '7h'],
    [47 * HOUR, '47h', '1d'],
    [2 * DAY + HOUR, '2d1h', '2d'],
    [7 * DAY, '7d', '7d'],
    [8 * DAY + 5 * HOUR, '8d', '8d'],
    [729 * DAY, '729d', '1y'],
    [730 * DAY, '2y', '2y'],
    [800 * DAY, '2y70d', '2y'],
    [3000 * DAY, '8y', '8y'],
  ];
  for (const [ms, long, short] of cases) {
    assert.equal(humanDuration(ms), long);
    assert.equal(shortHumanDuration(ms), short);
  }
});

test('durations are read and printed as Go does', () => {
  const cases: [string, string][] = [
    ['0', '0s'],
    ['1h30m', '1h30m0s'],
    ['90s', '1m30s'],
    ['-1.5h', '-1h30m0s'],
    ['1.5ms', '1.5ms'],
    ['1us', '1µs'],
    ['1µs', '1µs'],
    ['15ns', '15ns'],
    ['.5s', '500ms'],
    ['1.s', '1s'],
    ['2540400h10m10.000000001s', '2540400h10m10.000000001s'],
  ];
  for (const [text, canonical] of cases)
    assert.equal(formatDuration(parseDuration(text)), canonical);
  assert.equal(parseDuration('1h'), 3_600_000_000_000n);
  assert.equal(durationToMs(parseDuration('1.5s')), 1500);
});

test('what is no duration is refused with the words of Go', () => {
  const cases: [string, string][] = [
    ['', 'time: invalid duration ""'],
    ['1', 'time: missing unit in duration "1"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['.s', 'time: invalid duration ".s"'],
    ['x', 'time: invalid duration "x"'],
    ['é', 'time: invalid duration "\\xc3\\xa9"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseDuration(text), { name: 'ParseError', message });
  }
});

test('dates are written to the second or to the microsecond', () => {
  const date = new Date('2024-02-03T04:05:06.789Z');
  assert.equal(instant.formatTime(date), '2024-02-03T04:05:06Z');
  assert.equal(instant.rfc3339Micro(date), '2024-02-03T04:05:06.789000Z');
});

test('times are stored in UTC', () => {
  const cases: [string, string | null][] = [
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-01-01T00:00:00+01:00', '2023-12-31T23:00:00Z'],
    ['2024-01-01T00:00:00.999999999Z', '2024-01-01T00:00:00Z'],
    ['2024-01-01T1:00:00Z', '2024-01-01T01:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00Z'],
  ];
  for (const [text, canonical] of cases) assert.equal(instant.canonicalTime(text), canonical);
  assert.equal(
    instant.canonicalMicroTime('2024-01-01T00:00:00.123456+00:30'),
    '2023-12-31T23:30:00.123456Z',
  );
  assert.deepEqual(instant.parseTime('1970-01-01T00:00:01.5Z'), { seconds: 1, nanos: 500_000_000 });
});

test('what is no time is refused with the words of Go', () => {
  const as = (layout: string, rest: string, element: string) => (text: string) =>
    `parsing time "${text}" as "${layout}": cannot parse "${rest}" as "${element}"`;
  const layout = '2006-01-02T15:04:05Z07:00';
  const cases: [string, (text: string) => string][] = [
    ['', as(layout, '', '2006')],
    ['x', as(layout, 'x', '2006')],
    ['2024/01/01', as(layout, '/01/01', '-')],
    ['2024-01-01', as(layout, '', 'T')],
    ['2024-01-01T00:00:00', as(layout, '', 'Z07:00')],
    ['2024-13-01T00:00:00Z', (text) => `parsing time "${text}": month out of range`],
    ['2023-02-29T00:00:00Z', (text) => `parsing time "${text}": day out of range`],
    ['2024-01-01T24:00:00Z', (text) => `parsing time "${text}": hour out of range`],
    ['2024-01-01T00:00:00Zx', (text) => `parsing time "${text}": extra text: "x"`],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => instant.parseTime(text), { name: 'ParseError', message: message(text) });
  }
  const micro = '2024-01-01T00:00:00Z';
  assert.throws(() => instant.parseMicroTime(micro), {
    message: as('2006-01-02T15:04:05.000000Z07:00', 'Z', '.000000')(micro),
  });
});
