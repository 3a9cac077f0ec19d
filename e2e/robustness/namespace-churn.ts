import { setTimeout as delay } from 'node:timers/promises';
import { type Client, objectOf } from './client.ts';

const SETTLED_WITHIN_MS = 30_000;
const POLL_MS = 50;

/** A client that makes namespaces, fills them and deletes them: work that outlives its request. */
export class NamespaceChurn {
  /** Namespaces whose deletion was acknowledged. */
  readonly deleted: string[] = [];
  #count = 0;

  /** Goes on until the connection breaks. */
  async run(client: Client): Promise<void> {
    try {
      for (;;) {
        this.#count += 1;
        const name = `churn-${this.#count}`;
        await client.send('POST /api/v1/namespaces', { body: { metadata: { name } } });
        for (const object of ['a', 'b', 'c']) {
          const path = `/api/v1/namespaces/${name}/configmaps`;
          await client.send(`POST ${path}`, { body: { metadata: { name: object } } });
        }
        const { status } = await client.send(`DELETE /api/v1/namespaces/${name}`);
        if (status === 200) this.deleted.push(name);
      }
    } catch {
      // The server is gone.
    }
  }

  /** Resolves when every namespace that was deleted is gone with what was in it. */
  async settled(client: Client): Promise<void> {
    const deadline = performance.now() + SETTLED_WITHIN_MS;
    for (const name of this.deleted) {
      while ((await client.send(`GET /api/v1/namespaces/${name}`)).status !== 404) {
        if (performance.now() > deadline) throw new Error(`Namespace "${name}" does not go away`);
        await delay(POLL_MS);
      }
      const left = await client.send(`GET /api/v1/namespaces/${name}/configmaps`);
      const { items } = objectOf<{ items: unknown[] }>(left);
      if (items.length > 0) throw new Error(`Namespace "${name}" left ${items.length} objects`);
    }
  }
}
