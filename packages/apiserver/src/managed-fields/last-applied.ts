import { deepCopy, encodeJson, type KubeObject, parseJson } from '@flotilla/machinery';
import {
  compareTyped,
  difference,
  EMPTY_SET,
  type FieldSet,
  fieldSetOf,
  type MergeSchema,
  validateTyped,
} from '@flotilla/machinery/apply';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Upstream's limit on all annotations of an object together. */
const MAX_ANNOTATIONS = 256 * 1024;

/** The manager kubectl uses when it applies on the server; only its applies take over what it applied itself. */
export const KUBECTL = 'kubectl';

/**
 * The fields that kubectl once applied from its own side and nobody has changed since: kubectl may take them over
 * without a conflict. Nothing when the annotation is missing or does not fit.
 */
export function takenOverFromClient(
  live: KubeObject,
  { schema, apiVersion }: { schema: MergeSchema; apiVersion: string },
): FieldSet {
  const text = live.metadata.annotations?.[ANNOTATION] ?? '';
  if (text === '') return EMPTY_SET;
  try {
    const applied = parseJson(text, { strict: false }).value as KubeObject;
    if (applied.apiVersion !== apiVersion) return EMPTY_SET;
    validateTyped(schema, live);
    validateTyped(schema, applied);
    const { modified, added, removed } = compareTyped(schema, applied, live);
    const own = fieldSetOf(schema, applied);
    return difference(difference(difference(own, modified), added), removed);
  } catch {
    // Whatever is in the annotation, it is only a help: the conflict stands without it.
    return EMPTY_SET;
  }
}

/** Keeps the annotation of an object that kubectl also applies from its own side in step with what it applied now. */
export function keepLastApplied(object: KubeObject, applied: KubeObject): void {
  const { annotations } = object.metadata;
  if (annotations === undefined || (annotations[ANNOTATION] ?? '') === '') return;
  annotations[ANNOTATION] = lastAppliedText(applied);
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > MAX_ANNOTATIONS) delete annotations[ANNOTATION];
}

function lastAppliedText(applied: KubeObject): string {
  const copy = deepCopy(applied);
  const { annotations } = copy.metadata;
  if (annotations !== undefined) delete annotations[ANNOTATION];
  return `${encodeJson(sortKeys(copy))}\n`;
}

/** Go writes maps by their keys. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortKeys(member)]),
  );
}
