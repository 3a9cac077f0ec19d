/** Objects to test with, and what the server would say to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepCopy, formatFieldError, type KubeObject } from '@flotilla/machinery';
import { canonicalize } from '../../codec/canonical.ts';
import { typeTables } from '../../codec/type-tables.ts';
import type { KindBehaviour, KindContext } from '../behaviour.ts';
import { workloadKinds } from './index.ts';

/** Fields of an object as a client would write them. */
export type Fields = Readonly<Record<string, unknown>>;

/** The moment all tests happen in. */
export const now = new Date('2026-01-02T03:04:05Z');

/** A uid all new objects get. */
export const uid = '00000000-0000-4000-8000-000000000001';

/** A container that is fine but for `fields`. */
export function container(fields: Fields = {}): Fields {
  return { name: 'c', image: 'nginx:1', ...fields };
}

/** A pod that is fine but for `spec` and `metadata`. */
export function pod(spec: Fields = {}, metadata: Fields = {}): KubeObject {
  return object('v1', 'Pod', {
    metadata: { name: 'p', ...metadata },
    spec: { containers: [container()], ...spec },
  });
}

/** A pod template that is fine but for `spec` and `metadata`. */
export function template(spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    metadata: { labels: { app: 'a' }, ...metadata },
    spec: { containers: [container()], ...spec },
  };
}

/** An object of apps/v1 with a selector and a template, fine but for `spec`. */
export function app(kind: string, spec: Fields = {}, metadata: Fields = {}): KubeObject {
  const selector = { matchLabels: { app: 'a' } };
  return object('apps/v1', kind, { metadata, spec: { selector, template: template(), ...spec } });
}

/** A job that is fine but for `spec`. */
export function job(spec: Fields = {}, metadata: Fields = {}): KubeObject {
  return object('batch/v1', 'Job', { metadata, spec: { template: jobTemplate(), ...spec } });
}

/** The template of a job. */
export function jobTemplate(spec: Fields = {}, metadata: Fields = {}): Fields {
  return { metadata, spec: { restartPolicy: 'Never', containers: [container()], ...spec } };
}

/** An object of any kind. */
export function object(apiVersion: string, kind: string, fields: Fields): KubeObject {
  const metadata = { name: 'x', namespace: 'default', ...(fields['metadata'] as Fields) };
  return { apiVersion, kind, ...fields, metadata };
}

/** The object as it is stored after a create. */
export function created(source: KubeObject): KubeObject {
  const kind = behaviourOf(source);
  const made = canonical(source);
  kind.defaults?.(made);
  made.metadata.uid = uid;
  made.metadata.resourceVersion = '1';
  if (kind.generation === 'spec') made.metadata.generation = 1;
  kind.prepareForCreate?.(made, context());
  return canonical(made);
}

/** The object as it is stored after an update of `old` (to the object itself or to a subresource). */
export function updated(old: KubeObject, fields: Fields, subresource = ''): KubeObject {
  const kind = behaviourOf(old);
  const next = canonical({ ...deepCopy(old), ...deepCopy(fields) } as KubeObject);
  kind.defaults?.(next);
  const where = context(subresource);
  if (subresource === '') kind.prepareForUpdate?.(next, old, where);
  else if (subresource === 'status') kind.prepareForStatusUpdate?.(next, old, where);
  else kind.subresources?.[subresource]?.prepareForUpdate(next, old, where);
  return canonical(next);
}

/** Why a new object is refused. */
export function refusal(source: KubeObject): string[] {
  const made = created(source);
  return (behaviourOf(made).validate?.(made, context()) ?? []).map(formatFieldError);
}

/** Why an update is refused, repeats left out. */
export function updateRefusal(source: KubeObject, fields: Fields, subresource = ''): string[] {
  const old = created(source);
  return changeRefusal(old, updated(old, fields, subresource), subresource);
}

/** Why the change from one stored object to another is refused, repeats left out. */
export function changeRefusal(old: KubeObject, next: KubeObject, subresource = ''): string[] {
  const kind = behaviourOf(old);
  const check =
    subresource === ''
      ? kind.validateUpdate
      : subresource === 'status'
        ? kind.validateStatusUpdate
        : kind.subresources?.[subresource]?.validateUpdate;
  const errors = check?.(next, old, context(subresource)) ?? [];
  return [...new Set(errors.map(formatFieldError))];
}

/** What a create warns about. */
export function warnings(source: KubeObject): string[] {
  const made = created(source);
  return behaviourOf(made).warnings?.(made, undefined, context()) ?? [];
}

/** One row of a table of refused objects. */
export interface Refused {
  readonly title: string;
  readonly object: KubeObject;
  readonly errors: readonly string[];
}

/** A test per row: the object is refused with exactly these errors, in this order. */
export function refuses(rows: readonly Refused[]): void {
  for (const { title, object: refused, errors } of rows) {
    test(title, () => {
      assert.deepEqual(refusal(refused), errors);
    });
  }
}

/** The behaviour of an object's kind. */
export function behaviourOf({ apiVersion, kind }: KubeObject): KindBehaviour {
  const key = `${apiVersion.includes('/') ? '' : '/'}${apiVersion}/${kind}`;
  const behaviour = workloadKinds[key];
  assert.ok(behaviour, `no behaviour for ${key}`);
  return behaviour;
}

function canonical(source: KubeObject): KubeObject {
  const [group = '', version = ''] = source.apiVersion.includes('/')
    ? source.apiVersion.split('/')
    : ['', source.apiVersion];
  const type = typeTables().kind({ group, version, kind: source.kind });
  assert.ok(type, `no type for ${source.kind}`);
  return canonicalize(type, deepCopy(source)) as unknown as KubeObject;
}

function context(subresource = ''): KindContext {
  return { now: () => now, user: 'tester', namespace: 'default', subresource };
}
