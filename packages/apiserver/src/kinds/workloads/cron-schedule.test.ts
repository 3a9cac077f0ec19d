import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scheduleProblem } from './cron-schedule.ts';
import { isTimeZone } from './time-zone.ts';

describe('scheduleProblem', () => {
  for (const [schedule, problem] of [
    ['* * * * *', ''],
    ['*/15 0-6,22 1 jan MON', ''],
    ['5/15 ? * * sun-sat', ''],
    ['@daily', ''],
    ['@every 1h30m', ''],
    ['TZ=UTC * * * * *', ''],
    ['x', 'expected exactly 5 fields, found 1: [x]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['@often', 'unrecognized descriptor: @often'],
    ['TZ=Foo/Bar * * * * *', 'provided bad location Foo/Bar: unknown time zone Foo/Bar'],
  ] as const) {
    test(`"${schedule}" ${problem === '' ? 'is fine' : 'is refused as upstream does'}`, () => {
      assert.equal(scheduleProblem(schedule), problem);
    });
  }
});

describe('isTimeZone', () => {
  for (const [name, known] of [
    ['UTC', true],
    ['Europe/Berlin', true],
    ['US/Pacific', true],
    ['Etc/GMT+5', true],
    ['europe/berlin', false],
    ['Foo/Bar', false],
    ['+05:00', false],
  ] as const) {
    test(`${name} is ${known ? 'a zone' : 'none'}`, () => {
      assert.equal(isTimeZone(name), known);
    });
  }
});
