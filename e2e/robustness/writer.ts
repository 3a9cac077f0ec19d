import type { Seeded } from '../../packages/machinery/src/testing/seeded.ts';
import { type Answer, type Client, objectOf, type Sent } from './client.ts';

/** The namespace writers share. */
export const NAMESPACE = 'robust';

/** The collections writers write to, by resource. */
export const COLLECTIONS = {
  configmaps: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  secrets: `/api/v1/namespaces/${NAMESPACE}/secrets`,
  deployments: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
} as const;

/** A resource writers write to. */
export type Resource = keyof typeof COLLECTIONS;

/** An object as far as its writer marks it; undefined where there is none. */
export type Mark = { readonly uid: string; readonly seq: string } | undefined;

/** A write the server has said yes to. */
export interface Acknowledged {
  readonly resource: Resource;
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly seq: string;
  /** Undefined where the answer does not tell. */
  readonly revision: number | undefined;
}

/** One object that one writer alone writes to. */
export interface Slot {
  readonly resource: Resource;
  readonly name: string;
  /** As it was last acknowledged. */
  known: Mark;
  /** The write that was under way when the connection broke; it may have happened or not. */
  unsure: { readonly seq: string | undefined } | undefined;
  body: Record<string, unknown> | undefined;
}

const CONTAINER = { name: 'c', image: 'registry.test/app:1' };

/** What is sent to create an object. */
export function newObject(resource: Resource, name: string, seq: string): Record<string, unknown> {
  const metadata = { name, annotations: { seq } };
  switch (resource) {
    case 'configmaps':
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { seq } };
    case 'secrets':
      return { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { seq } };
    case 'deployments': {
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers: [CONTAINER] } };
      const spec = { selector: { matchLabels: labels }, template };
      return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
    }
  }
}

interface Written {
  readonly metadata: {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations: { readonly seq: string };
  };
}

const PATCHES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
} as const;

type Kind = 'update' | 'delete' | keyof typeof PATCHES;
const KINDS: readonly Kind[] = ['update', 'update', 'delete', 'merge', 'strategic', 'json'];

/** A client that writes to objects of its own without a pause, and remembers what it was told. */
export class Writer {
  readonly slots: readonly Slot[];
  /** Since `acknowledged` was last emptied. */
  acknowledged: Acknowledged[] = [];
  /** Its own key of the object that all writers share: what is certain, and what was tried. */
  readonly shared = { key: '', known: 0, tried: 0 };
  readonly #random: Seeded;
  #count = 0;

  constructor(name: string, random: Seeded) {
    this.#random = random;
    this.shared.key = name;
    const resources: Resource[] = ['configmaps', 'configmaps', 'secrets', 'deployments'];
    this.slots = resources.map((resource, index) => ({
      resource,
      name: `${name}-${index}`,
      known: undefined,
      unsure: undefined,
      body: undefined,
    }));
  }

  /** Writes until the connection breaks; throws when the server answers what it must not. */
  async run(client: Client): Promise<void> {
    for (;;) {
      const isOver =
        this.#random.below(6) === 0
          ? await this.#writeShared(client)
          : await this.#writeSlot(client, this.#random.pick(this.slots));
      if (isOver) return;
    }
  }

  async #writeSlot(client: Client, slot: Slot): Promise<boolean> {
    this.#count += 1;
    const seq = `${this.shared.key}.${this.#count}`;
    const kind = slot.known === undefined ? 'create' : this.#random.pick(KINDS);
    const { request, sent } = this.#requestFor(slot, kind, seq);
    slot.unsure = { seq: kind === 'delete' ? undefined : seq };
    const answer = await attempt(client, request, sent);
    if (answer === undefined) return true;
    if (answer.status !== (kind === 'create' ? 201 : 200)) {
      throw new Error(`${request} (${kind}) got ${answer.status}: ${answer.body.toString()}`);
    }
    slot.unsure = undefined;
    this.#remember(slot, kind, { answer, seq });
    return false;
  }

  #requestFor(slot: Slot, kind: Kind | 'create', seq: string): { request: string; sent: Sent } {
    const collection = COLLECTIONS[slot.resource];
    const path = `${collection}/${slot.name}`;
    const annotations = { seq, padding: 'x'.repeat(this.#random.below(60) ** 2) };
    switch (kind) {
      case 'create':
        return {
          request: `POST ${collection}`,
          sent: { body: newObject(slot.resource, slot.name, seq) },
        };
      case 'delete':
        return { request: `DELETE ${path}`, sent: {} };
      case 'update': {
        const metadata = { ...(slot.body?.['metadata'] as object), annotations };
        return { request: `PUT ${path}`, sent: { body: { ...slot.body, metadata } } };
      }
      case 'json': {
        const body = [{ op: 'add', path: '/metadata/annotations/seq', value: seq }];
        return { request: `PATCH ${path}`, sent: { body, type: PATCHES.json } };
      }
      case 'merge':
      case 'strategic':
        return {
          request: `PATCH ${path}`,
          sent: { body: { metadata: { annotations } }, type: PATCHES[kind] },
        };
    }
  }

  #remember(
    slot: Slot,
    kind: Kind | 'create',
    { answer, seq }: { answer: Answer; seq: string },
  ): void {
    const type = kind === 'create' ? 'ADDED' : kind === 'delete' ? 'DELETED' : 'MODIFIED';
    const ack = { resource: slot.resource, key: `${NAMESPACE}/${slot.name}`, type } as const;
    if (kind === 'delete') {
      this.acknowledged.push({ ...ack, seq: slot.known?.seq ?? '', revision: undefined });
      slot.known = undefined;
      return;
    }
    const written = objectOf<Written & Record<string, unknown>>(answer);
    if (written.metadata.annotations.seq !== seq) throw new Error(`${slot.name} is not as written`);
    const revision = Number(written.metadata.resourceVersion);
    this.acknowledged.push({ ...ack, seq, revision });
    slot.known = { uid: written.metadata.uid, seq };
    slot.body = written;
  }

  /** All writers meet on one object, each in a key of its own; updates may meet conflicts. */
  async #writeShared(client: Client): Promise<boolean> {
    const { shared } = this;
    const path = `${COLLECTIONS.configmaps}/shared`;
    const next = String(shared.tried + 1);
    if (this.#random.below(2) === 0) {
      shared.tried += 1;
      const sent = { body: { data: { [shared.key]: next } }, type: PATCHES.merge };
      const answer = await attempt(client, `PATCH ${path}`, sent);
      if (answer === undefined) return true;
      if (answer.status !== 200) throw new Error(`A patch of "shared" got ${answer.status}`);
      shared.known = shared.tried;
      return false;
    }
    const read = await attempt(client, `GET ${path}`, {});
    if (read === undefined) return true;
    const object = objectOf<{ data: Record<string, string> }>(read);
    shared.tried += 1;
    object.data[shared.key] = next;
    const answer = await attempt(client, `PUT ${path}`, { body: object });
    if (answer === undefined) return true;
    if (answer.status === 200) shared.known = shared.tried;
    else if (answer.status === 409) shared.tried = shared.known;
    else throw new Error(`An update of "shared" got ${answer.status}`);
    return false;
  }
}

/** Undefined when the connection broke before the answer was complete. */
async function attempt(client: Client, request: string, sent: Sent): Promise<Answer | undefined> {
  try {
    return await client.send(request, sent);
  } catch {
    return undefined;
  }
}
