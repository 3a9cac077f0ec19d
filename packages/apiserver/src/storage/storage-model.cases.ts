import assert from 'node:assert/strict';
import { CASE_TENANTS, collect, type Subject, seeded } from './storage-case-helpers.cases.ts';
import { type Store, type Tenant, WriteConflict } from './store.ts';

const PREFIX = 'model/';
/** The keys the model writes. */
export const MODEL_KEYS = Array.from(
  { length: 24 },
  (_, i) => `${PREFIX}${i % 5}/${'ab'[i % 2]}${i}`,
);

interface Version {
  readonly revision: number;
  readonly key: string;
  readonly value: string | undefined;
}

/** The reference: a list of writes, and nothing clever. */
class Model {
  readonly start: number;
  readonly versions: Version[] = [];
  oldest: number;

  constructor(start: number) {
    this.start = start;
    this.oldest = start;
  }

  get revision(): number {
    return this.start + this.versions.length;
  }

  at(revision: number): Map<string, Version> {
    const state = new Map<string, Version>();
    for (const version of this.versions) {
      if (version.revision > revision) break;
      if (version.value === undefined) state.delete(version.key);
      else state.set(version.key, version);
    }
    return state;
  }
}

/** Writes at random, and compares every kind of read with the reference as it goes. */
export async function modelCheck(
  subject: Subject,
  options: { seed: number; rounds: number; burst?: number },
): Promise<void> {
  const random = seeded(options.seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let store = subject.store;
  const models = new Map<Tenant, Model>(
    CASE_TENANTS.map((tenant) => [tenant, new Model(store.revision(tenant))]),
  );
  for (let round = 0; round < options.rounds; round++) {
    const tenant = pick(CASE_TENANTS);
    const model = models.get(tenant)!;
    await writeBurst({ store, tenant, model, random }, options.burst ?? 8);
    if (random() < 0.08) {
      model.oldest = Math.max(
        model.oldest,
        model.revision - Math.floor(random() * Math.min(40, model.versions.length + 1)),
      );
      await store.compact(tenant, model.oldest);
    }
    if (random() < 0.04 && subject.reopen) store = await subject.reopen();
    compareReads({ store, tenant, model, random });
    if (random() < 0.2) await compareWatch({ store, tenant, model, random });
  }
}

interface Scene {
  readonly store: Store;
  readonly tenant: Tenant;
  readonly model: Model;
  readonly random: () => number;
}

/** Some writes at once; some of them expect what is no longer, or not yet, true. */
async function writeBurst(scene: Scene, atMost: number): Promise<void> {
  const { store, tenant, model, random } = scene;
  const accepted: Version[] = [];
  const state = model.at(model.revision);
  const outcomes: Promise<void>[] = [];
  for (let i = Math.floor(random() * atMost); i >= 0; i--) {
    const key = MODEL_KEYS[Math.floor(random() * MODEL_KEYS.length)] as string;
    const current = state.get(key);
    const isLate = random() < 0.15;
    const expect = (current?.revision ?? 0) + (isLate ? 1 : 0);
    const isDeletion = random() < 0.3;
    const shouldWin = !isLate && (current !== undefined || !isDeletion);
    const make = (revision: number) => {
      const value = `${key}@${revision}`;
      return Buffer.from(value);
    };
    const done = store.write(tenant, { key, expect, value: isDeletion ? undefined : make });
    if (shouldWin) {
      const revision = model.revision + accepted.length + 1;
      const value = isDeletion ? undefined : `${key}@${revision}`;
      const version = { revision, key, value };
      accepted.push(version);
      if (value === undefined) state.delete(key);
      else state.set(key, version);
      outcomes.push(done.then((entry) => assert.equal(entry.revision, revision)));
    } else {
      outcomes.push(assert.rejects(done, WriteConflict));
    }
  }
  await Promise.all(outcomes);
  model.versions.push(...accepted);
}

function compareReads({ store, tenant, model, random }: Scene): void {
  assert.equal(store.revision(tenant), model.revision);
  const revisions = [
    model.revision,
    model.oldest,
    model.oldest + Math.floor(random() * (model.revision - model.oldest + 1)),
  ];
  for (const revision of revisions) {
    const expected = [...model.at(revision).values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    using snapshot = store.snapshot(tenant, revision);
    const prefix = random() < 0.5 ? PREFIX : `${PREFIX}${Math.floor(random() * 5)}/`;
    const after =
      random() < 0.4 ? undefined : (MODEL_KEYS[Math.floor(random() * MODEL_KEYS.length)] as string);
    const limit = random() < 0.4 ? 1_000 : Math.floor(random() * 6);
    const matching = expected.filter(
      ({ key }) => key.startsWith(prefix) && (after === undefined || key > after),
    );
    const from = after === undefined ? {} : { after };
    const range = snapshot.range(prefix, { ...from, limit });
    assert.deepEqual(
      range.map(({ key, value, revision: written }) => [key, value.toString(), written]),
      matching.slice(0, limit).map(({ key, value, revision: written }) => [key, value, written]),
    );
    assert.equal(snapshot.count(prefix, from), matching.length);
    for (const key of MODEL_KEYS) {
      const version = model.at(revision).get(key);
      assert.equal(snapshot.read(key)?.value.toString(), version?.value);
    }
  }
}

async function compareWatch({ store, tenant, model, random }: Scene): Promise<void> {
  const after = model.oldest + Math.floor(random() * (model.revision - model.oldest + 1));
  const expected = model.versions.filter(({ revision }) => revision > after);
  using watch = collect(store, { prefix: PREFIX, after, tenant });
  await watch.until(expected.length);
  assert.deepEqual(
    watch.changes.map(({ revision, key, value, previous }) => ({
      revision,
      key,
      value: value?.toString(),
      previous: previous?.toString(),
    })),
    expected.map((version) => ({
      ...version,
      previous: model.at(version.revision - 1).get(version.key)?.value,
    })),
  );
}
