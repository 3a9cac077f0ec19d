import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorLoops } from './error-loops.ts';

const line = (level: string, text: string, second = 1) =>
  `${level}1116 02:17:0${second}.123456   99 job_controller.go:610] ${text}`;

test('one cause counts once for every object and moment', () => {
  const log = [
    line('E', '"syncing job" err="jobs.batch \\"a-7xk2w\\" not found" job="one/a"'),
    line('E', '"syncing job" err="jobs.batch \\"a-9bbt4\\" not found" job="two/b"', 2),
    line('E', '"syncing job" err="jobs.batch \\"a-9bbt4\\" is forbidden" job="two/b"', 3),
    line('W', '"syncing job" err="jobs.batch \\"a-7xk2w\\" not found" job="one/a"'),
    'not a line of klog',
  ].join('\n');

  assert.deepEqual(errorLoops(log, 1), [
    {
      cause: 'job_controller.go:610 syncing job: jobs.batch \\"a-<name>\\" not found',
      times: 2,
    },
  ]);
  assert.equal(errorLoops(log, 0).length, 2);
  assert.deepEqual(errorLoops(log, 2), []);
});
