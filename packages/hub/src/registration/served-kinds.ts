import type { Client } from '@flotilla/client';
import {
  apiVersionOf,
  isExpired,
  isJsonObject,
  isNotFound,
  type Kind,
  type KubeObject,
} from '@flotilla/machinery';

/** Large enough to be few requests, small enough that a page of Applications is no burden. */
const PAGE_SIZE = 200;

/** A list that expires on the way is begun again this often. */
const LIST_TRIES = 3;

/** Whether a server has a kind that is somebody else's and may be missing: one small request of discovery. */
export async function isServed(
  client: Pick<Client, 'raw'>,
  kind: Kind,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const answer = await client.raw({ path: `/apis/${apiVersionOf(kind)}`, signal });
    const resources = isJsonObject(answer) ? answer['resources'] : undefined;
    return (
      Array.isArray(resources) &&
      resources.some((one) => isJsonObject(one) && one['name'] === kind.plural)
    );
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** What is wanted of each object of a kind, read page by page so that no list is in memory as a whole. */
export async function collect<T extends KubeObject, R>(
  client: Pick<Client, 'pages'>,
  kind: Kind<T>,
  {
    pick,
    signal,
  }: { pick: (object: T) => R | undefined | Promise<R | undefined>; signal: AbortSignal },
): Promise<R[]> {
  for (let attempt = 1; ; attempt++) {
    const picked: R[] = [];
    try {
      for await (const { items } of client.pages(kind, { pageSize: PAGE_SIZE, signal })) {
        for (const item of items) {
          const one = await pick(item);
          if (one !== undefined) picked.push(one);
        }
      }
      return picked;
    } catch (error) {
      if (!isExpired(error) || attempt === LIST_TRIES) throw error;
    }
  }
}
