// The load with @flotilla/client.
import { ConfigMaps, createClient, createInformer, createTransport, Pods } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import { type Job, PLACE, podName } from './job.ts';
import { type Load, runJob } from './measure.ts';

const { namespace, scratch: scratchNamespace, pods } = PLACE;
const random = Math.random;

await runJob(prepare);

function prepare(job: Job): Load {
  const client = connect(job);
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
    const client = connect(job);
    return createInformer({ client, kind: Pods, selection: { namespace }, mode, clock, random });
  });
  for (const informer of informers) void informer.start(signal);
  await Promise.all(informers.map((informer) => informer.synced()));
  const missing = informers.filter((informer) => informer.list().length !== pods);
  if (missing.length > 0) throw new Error(`${missing.length} informers are not whole`);
}

function connect({ target }: Job) {
  const presented = { authorization: `Bearer ${target.token}` };
  const access = {
    server: `https://${target.host}:${target.port}`,
    tls: { ca: target.ca },
    credential: { present: async () => presented, refused: async () => false },
    namespace,
  };
  return createClient(createTransport({ access, clock, random }));
}
