import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextRun, parseSchedule, zoneOffset } from './cron-schedule.ts';

const cases: readonly [schedule: string, after: string, next: string | undefined][] = [
  ['* * * * *', '2026-03-01T10:00:30Z', '2026-03-01T10:01:00Z'],
  ['*/15 * * * *', '2026-03-01T10:00:00Z', '2026-03-01T10:15:00Z'],
  ['0 6 * * *', '2026-03-01T06:00:00Z', '2026-03-02T06:00:00Z'],
  ['30 8-10 * * mon-fri', '2026-02-28T00:00:00Z', '2026-03-02T08:30:00Z'],
  ['0 0 1,15 * *', '2026-03-02T00:00:00Z', '2026-03-15T00:00:00Z'],
  // Where both days are given, either will do.
  ['0 0 13 * 5', '2026-03-07T00:00:00Z', '2026-03-13T00:00:00Z'],
  ['0 0 29 2 *', '2026-03-01T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['0 0 31 2 *', '2026-03-01T00:00:00Z', undefined],
  ['@hourly', '2026-03-01T10:59:59Z', '2026-03-01T11:00:00Z'],
  ['@weekly', '2026-03-02T00:00:00Z', '2026-03-08T00:00:00Z'],
];

describe('a cron schedule', () => {
  for (const [text, after, next] of cases) {
    test(`"${text}" after ${after} is due at ${next ?? 'no time'}`, () => {
      const schedule = parseSchedule(text);
      assert.ok(schedule !== undefined);
      const due = nextRun(schedule, Date.parse(after), () => 0);
      assert.equal(due === undefined ? undefined : iso(due), next);
    });
  }

  test('is none where a field is missing, out of range or no field', () => {
    for (const text of [
      '',
      '* * * *',
      '60 * * * *',
      '* 24 * * *',
      'a * * * *',
      '*/0 * * * *',
      '5-1 * * * *',
    ]) {
      assert.equal(parseSchedule(text), undefined, text);
    }
  });

  test('follows its time zone, also over a change of the clocks', () => {
    const schedule = parseSchedule('0 6 * * *');
    const offset = zoneOffset('Europe/Berlin');
    assert.ok(schedule !== undefined && offset !== undefined);
    const winter = nextRun(schedule, Date.parse('2026-03-27T12:00:00Z'), offset);
    assert.equal(iso(winter ?? 0), '2026-03-28T05:00:00Z');
    const summer = nextRun(schedule, winter ?? 0, offset);
    assert.equal(iso(summer ?? 0), '2026-03-29T04:00:00Z');
    assert.equal(zoneOffset('Nowhere/Land'), undefined);
  });
});

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
