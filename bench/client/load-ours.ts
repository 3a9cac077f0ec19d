// The load with @flotilla/client.
import { ConfigMaps, createInformer, Pods } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import { connectTo } from '../connect.ts';
import { type Job, PLACE, podName } from './job.ts';
import { type Load, runJob } from './measure.ts';

const { namespace, scratch: scratchNamespace, pods } = PLACE;
const random = Math.random;

await runJob(prepare);

function prepare(job: Job): Load {
  const client = connectTo(job.target);
  const requests = {
    get: (round: number) => client.get(Pods, { namespace, name: podName(round % pods) }),
    list: () => client.list(Pods, { namespace }),
    create: (round: number) =>
      client.create(ConfigMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: scratchNamespace, name: `c-${process.pid}-${round}` },
        data: { payload: 'x'.repeat(1024) },
      }),
  };
  return {
    request: job.kind in requests ? requests[job.kind as keyof typeof requests] : requests.get,
    startInformers: () => startInformers(job),
  };
}

/** Each of them with a client of its own: a hub follows as many clusters. */
async function startInformers(job: Job): Promise<void> {
  const mode = job.mode ?? 'full';
  const { signal } = new AbortController();
  const informers = Array.from({ length: job.atOnce }, () => {
    const client = connectTo(job.target);
    return createInformer({ client, kind: Pods, selection: { namespace }, mode, clock, random });
  });
  for (const informer of informers) void informer.start(signal);
  await Promise.all(informers.map((informer) => informer.synced()));
  const missing = informers.filter((informer) => informer.list().length !== pods);
  if (missing.length > 0) throw new Error(`${missing.length} informers are not whole`);
}
