// An informer of @kubernetes/client-node whose connections are cut again and again. The long form,
// `npm run soak -- client-node`, takes five minutes and cuts every 30 s.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, apiOf, type Json } from '../api.ts';
import { BUILT_IN, SIDES, type Side, startSide } from '../sides.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { importClient } from './install.ts';

const NAMESPACE = 'informed';
const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const WRITERS = 10;
/** A life is a create, so many updates, and a delete. */
const UPDATES = 18;
const LIVES = 50;
const CHANGES = WRITERS * LIVES * (UPDATES + 2);
const soakSeconds = Number(process.env['FLOTILLA_CLIENT_NODE_SECONDS'] ?? 0);
const cutEveryMs = soakSeconds > 0 ? 30_000 : 1_500;
const names = soakSeconds > 0 ? SIDES.filter((name) => name === 'ours') : SIDES;

const client = await importClient();
const sides = await Promise.all(names.map((name) => startSide(name, { controllers: BUILT_IN })));
after(() => Promise.all(sides.map((side) => side.stop())));

describe('an informer of the JavaScript client', () => {
  for (const side of sides) {
    test(`CP-59 misses and repeats nothing in ${CHANGES} changes, whatever is cut: ${side.name}`, async (t) => {
      using api = apiOf(side);
      await api.create('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
      const seen: string[] = [];
      await using informer = await startInformer(side, (event) => seen.push(event));

      const made = await makeChanges(api, seen);

      const wanted = made.toSorted();
      for (let polls = 0; seen.length < wanted.length && polls < 100; polls++) await pause(100);
      assert.deepEqual(counted(seen, wanted), { missed: [], repeated: [], invented: [] });
      assert.ok(informer.cuts() >= 2, `only ${informer.cuts()} cuts`);
      t.diagnostic(
        `figure: ${side.name}: ${made.length} changes seen once each, ${informer.cuts()} cuts`,
      );
    });
  }
});

/** What was seen too rarely, too often, or without having been done. */
function counted(seen: readonly string[], wanted: readonly string[]) {
  const times = new Map<string, number>();
  for (const event of seen) times.set(event, (times.get(event) ?? 0) + 1);
  const done = new Set(wanted);
  return {
    missed: wanted.filter((event) => !times.has(event)).slice(0, 10),
    repeated: [...times].filter(([, count]) => count > 1).slice(0, 10),
    invented: [...times.keys()].filter((event) => !done.has(event)).slice(0, 10),
  };
}

interface Informer extends AsyncDisposable {
  readonly cuts: () => number;
}

/** An informer behind a proxy that cuts it off; it is started again as its documentation says. */
async function startInformer(side: Side, note: (event: string) => void): Promise<Informer> {
  const proxy = await startCuttingProxy(Number(new URL(side.url).port));
  const config = new client.KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: 'one',
        server: `https://127.0.0.1:${proxy.port}`,
        caData: Buffer.from(side.ca).toString('base64'),
      },
    ],
    users: [{ name: 'one', token: side.token }],
    contexts: [{ name: 'one', cluster: 'one', user: 'one' }],
    currentContext: 'one',
  });
  const core = config.makeApiClient(client.CoreV1Api);
  const list = () => core.listNamespacedConfigMap({ namespace: NAMESPACE, labelSelector: 'life' });
  const informer = client.makeInformer(config, PATH, list, 'life');
  let [cuts, isOver] = [0, false];
  informer.on('add', ({ metadata }: Json) => note(`${metadata.uid} ${metadata.resourceVersion}`));
  informer.on('update', ({ metadata }: Json) =>
    note(`${metadata.uid} ${metadata.resourceVersion}`),
  );
  informer.on('delete', ({ metadata }: Json) => note(`${metadata.uid} deleted`));
  informer.on('error', () => {
    if (!isOver) setTimeout(() => void informer.start(), 10);
  });
  await informer.start();
  const timer = setInterval(() => {
    cuts += 1;
    proxy.cut();
  }, cutEveryMs);
  return {
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      clearInterval(timer);
      await informer.stop();
      proxy.close();
    },
  };
}

/** Lets objects live and die, and gives back every change in the words of {@link startInformer}. */
async function makeChanges(api: Api, seen: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  const pauseMs = (soakSeconds * 1000 * WRITERS) / CHANGES;
  const write = async (writer: number) => {
    for (let life = 0; life < LIVES; life++) {
      const name = `w${writer}-${life}`;
      const metadata = { name, labels: { life: 'yes' } };
      const { uid, resourceVersion } = (await api.create(PATH, { metadata })).metadata;
      made.push(`${uid} ${resourceVersion}`);
      for (let update = 0; update < UPDATES; update++) {
        if (pauseMs > 0) await pause(pauseMs);
        const { code, body } = await api.patch(`${PATH}/${name}`, {
          data: { update: `${update}` },
        });
        assert.equal(code, 200);
        made.push(`${uid} ${body.metadata.resourceVersion}`);
      }
      await api.delete(`${PATH}/${name}`);
      made.push(`${uid} deleted`);
      // A server keeps what happened for a while only: the informer is not to fall behind for ever.
      while (made.length - seen.length > CHANGES / 4) await pause(50);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return made;
}
