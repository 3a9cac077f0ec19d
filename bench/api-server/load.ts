// The load, in a process of its own: one job a run, told by the first argument, answered with one line of JSON.
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { RawConnection } from './raw-client.ts';
import type { Target } from './target.ts';

interface Job {
  readonly target: Target;
  readonly kind: 'create' | 'fill' | 'get' | 'list' | 'fanout' | 'get-under-list';
  readonly clients: number;
  readonly seconds: number;
  readonly count?: number;
  readonly bytes?: number;
  readonly namespace: string;
}

const job = JSON.parse(process.argv[2] ?? '{}') as Job;
const NEWLINE = 0x0a;
const jobs: Record<Job['kind'], () => Promise<Record<string, number>>> = {
  create,
  fill,
  get,
  list,
  fanout,
  'get-under-list': getUnderList,
};
console.log(JSON.stringify(await jobs[job.kind]()));
process.exit(0);

function object(name: string, bytes: number): string {
  return JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, labels: { app: 'bench' } },
    data: { payload: 'x'.repeat(bytes) },
  });
}

function path(name = ''): string {
  const collection = `/api/v1/namespaces/${job.namespace}/configmaps`;
  return name === '' ? collection : `${collection}/${name}`;
}

/** Runs `step` on every connection until the time is over; returns how often per second. */
async function loop(
  step: (connection: RawConnection, client: number, round: number) => Promise<void>,
): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: job.clients }, () => RawConnection.open(job.target)),
  );
  const run = async (ms: number): Promise<{ done: number; seconds: number }> => {
    const begun = performance.now();
    let done = 0;
    await Promise.all(
      connections.map(async (connection, client) => {
        while (performance.now() - begun < ms) {
          await step(connection, client, rounds++);
          done += 1;
        }
      }),
    );
    return { done, seconds: (performance.now() - begun) / 1000 };
  };
  let rounds = 0;
  // Both are given time to compile their hot paths.
  await run(Math.min(2000, job.seconds * 300));
  const { done, seconds } = await run(job.seconds * 1000);
  for (const connection of connections) connection.close();
  return done / seconds;
}

async function create(): Promise<Record<string, number>> {
  const mark = process.pid.toString(36);
  const perSecond = await loop(async (connection, _client, round) => {
    const { status } = await connection.send(
      'POST',
      path(),
      object(`c-${mark}-${round}`, job.bytes ?? 1024),
    );
    if (status !== 201) throw new Error(`create answered ${status}`);
  });
  return { perSecond };
}

/** Makes the objects `PREFIX-0 … PREFIX-(count-1)`. */
async function fill(): Promise<Record<string, number>> {
  const connections = await Promise.all(
    Array.from({ length: job.clients }, () => RawConnection.open(job.target)),
  );
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let i = next++; i < (job.count ?? 0); i = next++) {
        const { status } = await connection.send(
          'POST',
          path(),
          object(`o-${i}`, job.bytes ?? 1024),
        );
        if (status !== 201) throw new Error(`fill answered ${status}`);
      }
      connection.close();
    }),
  );
  return { perSecond: (job.count ?? 0) / ((performance.now() - begun) / 1000) };
}

async function get(): Promise<Record<string, number>> {
  const perSecond = await loop(async (connection, _client, round) => {
    const { status } = await connection.send('GET', path(`o-${round % (job.count ?? 1)}`));
    if (status !== 200) throw new Error(`get answered ${status}`);
  });
  return { perSecond };
}

async function list(): Promise<Record<string, number>> {
  let bytes = 0;
  const perSecond = await loop(async (connection) => {
    const answer = await connection.send('GET', path());
    if (answer.status !== 200) throw new Error(`list answered ${answer.status}`);
    bytes = answer.bytes;
  });
  return { perSecond, bytes };
}

async function getUnderList(): Promise<Record<string, number>> {
  const lister = await RawConnection.open(job.target);
  const getter = await RawConnection.open(job.target);
  const times: number[] = [];
  let listing = true;
  let lists = 0;
  const busy = (async () => {
    while (listing) {
      await lister.send('GET', path());
      lists += 1;
    }
  })();
  const begun = performance.now();
  for (let i = 0; performance.now() - begun < job.seconds * 1000; i += 1) {
    const sent = performance.now();
    await getter.send('GET', path(`o-${i % (job.count ?? 1)}`));
    times.push(performance.now() - sent);
  }
  listing = false;
  await busy;
  times.sort((a, b) => a - b);
  return {
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    lists,
  };
}

/** Watchers on a few HTTP/2 connections, as Go clients hold them; one writer changes one object again and again. */
async function fanout(): Promise<Record<string, number>> {
  const watchers = job.clients;
  const events = job.count ?? 50;
  const perSession = 100;
  const host = `https://127.0.0.1:${job.target.port}`;
  const headers = { authorization: `Bearer ${job.target.token}`, accept: 'application/json' };
  const writer = await RawConnection.open(job.target);
  const first = await writer.send('POST', path(), object('watched', 1024));
  if (first.status !== 201 && first.status !== 409)
    throw new Error(`create answered ${first.status}`);
  let received = 0;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const opened: Promise<void>[] = [];
  const sessions: ClientHttp2Session[] = [];
  for (let index = 0; index < Math.ceil(watchers / perSession); index += 1) {
    const session = connectHttp2(host, {
      ca: job.target.ca,
      settings: { initialWindowSize: 4 << 20 },
    });
    sessions.push(session);
    session.setMaxListeners(0);
    await new Promise((resolve) => session.once('connect', resolve));
    session.setLocalWindowSize(64 << 20);
    for (let i = index * perSession; i < Math.min(watchers, (index + 1) * perSession); i += 1) {
      const stream = session.request({
        ...headers,
        ':path': `${path()}?watch=true&fieldSelector=metadata.name%3Dwatched&resourceVersion=0`,
      });
      opened.push(
        new Promise((resolve) => {
          let established = false;
          stream.on('data', (chunk: Buffer) => {
            // Each event is a line; the first is the object as it is and says that the watch is established.
            for (
              let end = chunk.indexOf(NEWLINE);
              end >= 0;
              end = chunk.indexOf(NEWLINE, end + 1)
            ) {
              if (established) received += 1;
              established = true;
            }
            if (established) resolve();
            if (received >= watchers * events) finish();
          });
          stream.on('error', () => {});
        }),
      );
    }
  }
  await Promise.all(opened);
  const begun = performance.now();
  for (let i = 0; i < events; i += 1) {
    const body = object('watched', 1024).replace('"app":"bench"', `"app":"bench","n":"${i}"`);
    const { status } = await writer.send('PUT', path('watched'), body);
    if (status !== 200) throw new Error(`update answered ${status}`);
  }
  await finished;
  const seconds = (performance.now() - begun) / 1000;
  for (const session of sessions) session.destroy();
  writer.close();
  return { perSecond: (watchers * events) / seconds };
}
