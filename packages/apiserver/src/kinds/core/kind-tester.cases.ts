import assert from 'node:assert/strict';
import {
  deepCopy,
  type FieldError,
  type Json,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import { canonicalize } from '../../codec/canonical.ts';
import { typeTables } from '../../codec/type-tables.ts';
import type { Cell, KindBehaviour, KindContext } from '../behaviour.ts';
import { clusterKinds } from '../cluster/index.ts';
import { coreKinds } from './index.ts';

/** When everything in these tests happens; objects are created at this very moment, so every age is 0s. */
export const NOW = '2026-01-02T03:04:05Z';

/** One write after another to the same object; a step without errors is accepted and changes what is stored. */
export interface Story {
  readonly object: Json;
  readonly subresource?: string;
  readonly steps: readonly {
    /** Path of the field that changes, parts separated by slashes. */
    readonly set: string;
    /** Undefined removes the field. */
    readonly to: unknown;
    readonly errors?: readonly string[];
  }[];
}

/** Drives one kind the way handlers do, without a server. */
export interface KindTester {
  readonly behaviour: KindBehaviour;
  /** The object as a create would store it. */
  create(raw: Json): KubeObject;
  /** What is wrong with an object about to be created, one `path: text` each. */
  errors(raw: Json): string[];
  warnings(raw: Json): string[];
  cells(raw: Json): Cell[];
  /** Checks tables of refusals, of stored forms without metadata, of warnings and of cells. */
  refuses(cases: readonly (readonly [Json, readonly string[]])[]): void;
  stores(cases: readonly (readonly [Json, Json])[]): void;
  warns(cases: readonly (readonly [Json, readonly string[]])[]): void;
  shows(cases: readonly (readonly [Json, readonly Cell[]])[]): void;
  plays(stories: readonly Story[]): void;
}

/** A tester of the kind `${group}/${version}/${Kind}`; `admit` stands for what happens between defaults and prepare. */
export function kindTester(
  key: string,
  admit: (object: KubeObject, old: KubeObject | undefined) => void = () => {},
): KindTester {
  const [group = '', version = '', kind = ''] = key.split('/');
  const behaviour = coreKinds[key] ?? clusterKinds[key];
  const type = typeTables().kind({ group, version, kind });
  if (behaviour === undefined || type === undefined) throw new Error(`Cannot test "${key}"`);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const canonical = (object: unknown) => canonicalize(type, object) as unknown as KubeObject;
  const context = (subresource: string): KindContext => ({
    now: () => new Date(NOW),
    user: 'admin',
    requester: { groups: ['system:masters'] },
    namespace: 'default',
    subresource,
  });
  const decode = (raw: Json) => {
    const metadata = { name: 'x', ...(raw['metadata'] as Json | undefined) };
    const object = canonical({ apiVersion, kind, ...deepCopy(raw), metadata });
    if (!CLUSTER_WIDE.has(kind)) object.metadata.namespace ??= 'default';
    object.metadata.creationTimestamp = NOW;
    behaviour.defaults?.(object);
    return canonical(object);
  };
  const create = (raw: Json) => {
    const object = decode(raw);
    admit(object, undefined);
    if (behaviour.generation === 'spec') object.metadata.generation = 1;
    behaviour.prepareForCreate?.(object, context(''));
    return canonical(object);
  };
  const update = (next: KubeObject, old: KubeObject, subresource: string): string[] => {
    const sub = behaviour.subresources?.[subresource];
    if (subresource === '' && 'status' in old) next['status'] = old['status'];
    if (subresource === '') admit(next, old);
    if (subresource === 'status') behaviour.prepareForStatusUpdate?.(next, old, context('status'));
    else if (sub !== undefined) sub.prepareForUpdate(next, old, context(subresource));
    else behaviour.prepareForUpdate?.(next, old, context(''));
    return texts(changeErrors(behaviour, { next: canonical(next), old }, context(subresource)));
  };
  const tester: KindTester = {
    behaviour,
    create,
    errors: (raw) => refusalOf(() => texts(behaviour.validate?.(create(raw), context('')) ?? [])),
    warnings: (raw) => behaviour.warnings?.(create(raw), undefined, context('')) ?? [],
    cells: (raw) => behaviour.cells?.(create(raw), { now: new Date(NOW) }) ?? [],
    refuses: (cases) => {
      for (const [raw, errors] of cases) {
        assert.deepEqual(tester.errors(raw), errors, JSON.stringify(raw));
      }
    },
    stores: (cases) => {
      for (const [raw, stored] of cases) {
        const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = create(raw);
        assert.deepEqual(rest, stored, JSON.stringify(raw));
      }
    },
    warns: (cases) => {
      for (const [raw, warnings] of cases) {
        assert.deepEqual(tester.warnings(raw), warnings, JSON.stringify(raw));
      }
    },
    shows: (cases) => {
      for (const [raw, cells] of cases) {
        assert.deepEqual(tester.cells(raw), cells, JSON.stringify(raw));
      }
    },
    plays: (stories) => {
      for (const { object, subresource = '', steps } of stories) {
        let old = create(object);
        old.metadata.resourceVersion = '1';
        for (const { set, to, errors = [] } of steps) {
          const next = decode(changed(old, set, to));
          assert.deepEqual(
            update(next, old, subresource),
            errors,
            `${set} = ${JSON.stringify(to)}`,
          );
          if (errors.length === 0) old = canonical(next);
        }
      }
    },
  };
  return tester;
}

const CLUSTER_WIDE = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'SelfSubjectAccessReview',
  'SubjectAccessReview',
]);

function texts(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

/** What is wrong, whether it was returned or thrown. */
function refusalOf(check: () => string[]): string[] {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const causes = error.details?.causes ?? [];
    return causes.map(({ field, message }) => `${field}: ${message}`);
  }
}

function changeErrors(
  behaviour: KindBehaviour,
  { next, old }: { next: KubeObject; old: KubeObject },
  context: KindContext,
): FieldError[] {
  if (context.subresource === 'status') {
    return behaviour.validateStatusUpdate?.(next, old, context) ?? [];
  }
  const sub = behaviour.subresources?.[context.subresource];
  if (sub !== undefined) return sub.validateUpdate(next, old, context);
  return [
    ...(behaviour.validateOnUpdate === false ? [] : (behaviour.validate?.(next, context) ?? [])),
    ...(behaviour.validateUpdate?.(next, old, context) ?? []),
  ];
}

function changed(object: KubeObject, path: string, value: unknown): Json {
  const copy = deepCopy(object) as Json;
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  let parent = copy;
  for (const part of parts) {
    parent[part] ??= {};
    parent = parent[part] as Json;
  }
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
