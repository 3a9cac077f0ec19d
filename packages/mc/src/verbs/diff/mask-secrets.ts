import { deepEqual, getOwn, isJsonObject, type Json, setOwn } from '@flotilla/machinery';
import type { Versions } from './prepare-versions.ts';

const SAME = '***';
const BEFORE = '*** (before)';
const AFTER = '*** (after)';

/** What kubectl apply keeps of a whole manifest, values and all. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Hides the values of Secrets, so that one sees which of them change and not to what. Other objects stay as they are. */
export function maskSecrets(versions: Versions): Versions {
  const { live, merged } = versions;
  const { kind, apiVersion } = merged;
  const isSecret = kind === 'Secret' && /(^|\/)v1$/.test(String(apiVersion));
  if (!isSecret) return versions;
  const masked = { live: live === undefined ? undefined : { ...live }, merged: { ...merged } };
  for (const field of ['data', 'stringData']) maskMap(masked.live, masked.merged, field);
  const notes = [masked.live, masked.merged].map(copiedAnnotations);
  maskKeys(notes[0], notes[1], [LAST_APPLIED]);
  return masked;
}

function maskMap(live: Json | undefined, merged: Json, field: string): void {
  const [from, to] = [live, merged].map((object) => {
    const values = object?.[field];
    if (object === undefined || values === undefined || values === null) return undefined;
    // Whatever else it is, it is not shown either.
    const copy = isJsonObject(values) ? { ...values } : { [SAME]: values };
    setOwn(object, field, copy);
    return copy;
  });
  maskKeys(from, to, [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])]);
}

function maskKeys(from: Json | undefined, to: Json | undefined, keys: readonly string[]): void {
  for (const key of keys) {
    const before = from === undefined ? undefined : getOwn(from, key);
    const after = to === undefined ? undefined : getOwn(to, key);
    const isChanged = before !== undefined && after !== undefined && !deepEqual(before, after);
    if (from !== undefined && before !== undefined) setOwn(from, key, isChanged ? BEFORE : SAME);
    if (to !== undefined && after !== undefined) setOwn(to, key, isChanged ? AFTER : SAME);
  }
}

/** The annotations of an object, which may be changed from now on. */
function copiedAnnotations(object: Json | undefined): Json | undefined {
  const metadata = object?.['metadata'];
  if (object === undefined || !isJsonObject(metadata)) return undefined;
  const annotations = metadata['annotations'];
  if (!isJsonObject(annotations)) return undefined;
  const copy = { ...annotations };
  setOwn(object, 'metadata', { ...metadata, annotations: copy });
  return copy;
}
