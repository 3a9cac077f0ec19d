// The controller on @flotilla/runtime: one job a run, told by the first argument, answered with one line of JSON.
import { ConfigMaps, createInformers } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import {
  type ConditionSet,
  type ControllerObserver,
  createManager,
  defineController,
  type PassOutcome,
  untilChanged,
} from '@flotilla/runtime';
import { connectTo } from '../connect.ts';
import { cpuMs, peakMb } from '../resources.ts';
import { type Job, PLACE, type Report } from './job.ts';
import { Tasks } from './task.ts';

const job = JSON.parse(process.argv[2] ?? '{}') as Job;
const random = Math.random;
const { namespace } = PLACE;
const conditions = { SettingRead: ['Read', 'NotFound'] } as const satisfies ConditionSet;

await using client = connectTo(job.target);
const informers = createInformers({ client, clock, random });
const settings = informers.for(ConfigMaps, { selection: { namespace } });
let beganAt = 0;

const tasks = defineController({
  name: 'tasks',
  for: Tasks,
  choice: { selection: { namespace } },
  conditions,
  concurrency: job.concurrency,
  reconcile: (pass) => {
    beganAt ||= performance.now();
    const { spec, status } = pass.observed;
    const setting = settings.get({ namespace, name: spec.settings })?.data?.['level'];
    if (setting === undefined) throw pass.stalled('SettingRead', 'NotFound', 'There is no setting');
    pass.mark('SettingRead', 'Read', 'The setting is known');
    if (status?.round !== job.round || status.setting !== setting) {
      Object.assign(pass.object.status, { round: job.round, setting });
    }
    return untilChanged;
  },
});

const stop = new AbortController();
let passed = 0;
let writes = 0;
let endedAt = 0;
const nothing = () => {};
const observer: ControllerObserver = {
  controller: () => ({
    added: nothing,
    retried: nothing,
    taken: nothing,
    passed: (outcome) => count(outcome),
    wrote: () => {
      writes += 1;
    },
    eventDropped: nothing,
  }),
  leading: nothing,
};
const informing = informers.start(stop.signal);
await createManager({ client, controllers: [tasks], clock, random, informers, observer }).run(
  stop.signal,
);
await informing;
const report: Report = {
  perSecond: (job.count / (endedAt - beganAt)) * 1000,
  cpuMs: cpuMs() / job.count,
  peakMb: peakMb(),
  writes,
};
console.log(JSON.stringify(report));

function count(outcome: PassOutcome): void {
  if (outcome !== 'done') throw new Error(`A pass ended as ${outcome}`);
  passed += 1;
  if (passed < job.count) return;
  endedAt = performance.now();
  stop.abort();
}
