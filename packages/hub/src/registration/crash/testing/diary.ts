import { type Client, type Secret, Secrets } from '@flotilla/client';
import { type Kind, type KubeObject, keyOfObject, type ObjectKey } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { Applications } from '../../applications/kinds.ts';
import { REFRESHED_FOR } from '../../applications/refreshed-for.ts';
import { application } from '../../applications/testing/vela-hub.ts';
import { GATEWAY_NAMESPACE, NAMESPACE } from '../../testing/builders.ts';

/** The object that tells how far a diary has come. */
export const MARKER = 'marker';

/** What happened on a hub, in its order. */
export interface Diary extends AsyncDisposable {
  /** What happened since the last call: to Secrets where clusters are, and which Applications were refreshed. */
  readonly since: () => Promise<{ readonly secrets: string[]; readonly refreshes: string[] }>;
}

/** Begins to write down. */
export async function keepDiary(client: Client): Promise<Diary> {
  const ending = new AbortController();
  const secrets = await watchAll<Secret>(client, {
    kind: Secrets,
    marker: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: GATEWAY_NAMESPACE, name: MARKER },
    },
    signal: ending.signal,
  });
  const applications = await watchAll(client, {
    kind: Applications,
    marker: application(MARKER, { clusters: ['nowhere'] }),
    signal: ending.signal,
  });
  return {
    since: async () => ({
      secrets: (await secrets.since()).map(({ type, name }) => `${type} ${name}`),
      refreshes: (await applications.since())
        .filter(({ isRefresh }) => isRefresh)
        .map(({ name }) => name),
    }),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await Promise.all([secrets.ended, applications.ended]);
    },
  };
}

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly isRefresh: boolean;
}

async function watchAll<T extends KubeObject>(
  client: Client,
  {
    kind,
    marker,
    signal,
  }: { readonly kind: Kind<T>; readonly marker: T; readonly signal: AbortSignal },
) {
  const key: ObjectKey = keyOfObject(marker);
  const namespace = key.namespace ?? NAMESPACE;
  await client.create(kind, marker);
  const { metadata } = await client.list(kind, { namespace });
  const { resourceVersion = '' } = metadata;
  const known = new Map<string, string>();
  let entries: Entry[] = [];
  let marked = '';
  const follow = async (): Promise<void> => {
    const options = { namespace, resourceVersion, signal };
    for await (const { type, object } of client.watch(kind, options)) {
      const { name = '', annotations = {} } = object.metadata;
      if (type === 'BOOKMARK') continue;
      if (name === MARKER) {
        marked = annotations['mark'] ?? '';
        continue;
      }
      const events = annotations[REFRESHED_FOR];
      entries.push({ type, name, isRefresh: events !== undefined && events !== known.get(name) });
      if (events !== undefined) known.set(name, events);
    }
  };
  const ended = follow().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  ended.catch(() => {});
  let marks = 0;
  return {
    ended,
    since: async (): Promise<Entry[]> => {
      const mark = String(++marks);
      const body = { metadata: { annotations: { mark } } };
      await client.patch(kind, key, { type: 'merge', body });
      await Promise.race([
        eventually(() => marked === mark, Boolean, { withinMs: 30_000 }),
        ended.then(() => {
          throw new Error(`Cannot follow ${kind.plural}: the watch has ended`);
        }),
      ]);
      const seen = entries;
      entries = [];
      return seen;
    },
  };
}
