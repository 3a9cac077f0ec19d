import type { OwnerReference } from '@flotilla/machinery';

/** What ownership depends on, read from an object's bytes without decoding the rest of it. */
export interface Ownership {
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isDeleting: boolean;
}

const OWNERS = Buffer.from('"ownerReferences":[');
const DELETING = Buffer.from('"deletionTimestamp":"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** True when the object may have owners: a search for a few bytes, since most objects have none. */
export function mayHaveOwners(bytes: Buffer): boolean {
  return bytes.includes(OWNERS);
}

/** True when the object may be on its way out. */
export function mayBeDeleting(bytes: Buffer): boolean {
  return bytes.includes(DELETING);
}

/** True when both versions name the same owners, byte for byte; most updates leave them alone. */
export function sameOwners(a: Buffer, b: Buffer): boolean {
  const left = ownersSlice(a);
  const right = ownersSlice(b);
  return left !== undefined && right !== undefined && left.equals(right);
}

function ownersSlice(bytes: Buffer): Buffer | undefined {
  const at = bytes.indexOf(OWNERS);
  if (at < 0) return undefined;
  const begin = at + OWNERS.length - 1;
  return bytes.subarray(begin, skipValue(bytes, begin));
}

/** Reads what ownership depends on from the metadata, which stands near the front of every stored object. */
export function readOwnership(bytes: Buffer): Ownership {
  const found = { uid: '', owners: [] as OwnerReference[], finalizers: [] as string[] };
  let isDeleting = false;
  eachField(metadataOf(bytes), (name, value) => {
    if (name === 'uid') found.uid = textOf(value());
    else if (name === 'deletionTimestamp') isDeleting = value()[0] === QUOTE;
    else if (name === 'ownerReferences') found.owners = listOf<OwnerReference>(value());
    else if (name === 'finalizers') found.finalizers = listOf<string>(value());
    // The longest field is the last one in the order of Kubernetes' own kinds, in which the uid comes early.
    return name !== 'managedFields' || found.uid === '';
  });
  return { ...found, isDeleting };
}

/** The uid alone. */
export function readUid(bytes: Buffer): string {
  let uid = '';
  eachField(metadataOf(bytes), (name, value) => {
    if (name === 'uid') uid = textOf(value());
    return uid === '';
  });
  return uid;
}

/** From the metadata on; what follows it is left where it is. */
function metadataOf(bytes: Buffer): Buffer {
  let metadata: Buffer | undefined;
  eachField(bytes, (name, _value, at) => {
    if (name === 'metadata') metadata = bytes.subarray(at);
    return metadata === undefined;
  });
  return metadata ?? EMPTY;
}

const EMPTY = Buffer.from('{}');

function textOf(value: Buffer): string {
  return value[0] === QUOTE ? (JSON.parse(value.toString()) as string) : '';
}

function listOf<T>(value: Buffer): T[] {
  return (JSON.parse(value.toString()) ?? []) as T[];
}

/** Sees a field; its value is found when it is asked for. Returns whether to go on. */
type Visit = (name: string, value: () => Buffer, at: number) => boolean;

/** Walks the fields of the object that begins the bytes. Stored objects have no spaces between tokens. */
function eachField(bytes: Buffer, visit: Visit): void {
  let at = 1;
  while (bytes[at] === QUOTE) {
    const nameEnd = skipString(bytes, at);
    const begin = nameEnd + 1;
    const value = (): Buffer => bytes.subarray(begin, skipValue(bytes, begin));
    if (!visit(bytes.toString('latin1', at + 1, nameEnd - 1), value, begin)) return;
    const end = skipValue(bytes, begin);
    if (bytes[end] !== COMMA) return;
    at = end + 1;
  }
}

/** The index after the value that begins at `at`. */
function skipValue(bytes: Buffer, at: number): number {
  let depth = 0;
  let index = at;
  while (index < bytes.length) {
    switch (bytes[index]) {
      case QUOTE:
        index = skipString(bytes, index);
        if (depth === 0) return index;
        continue;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth += 1;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        // The end of a number, a truth value or nothing is what follows it.
        if (depth === 0) return index;
        depth -= 1;
        if (depth === 0) return index + 1;
        break;
      case COMMA:
        if (depth === 0) return index;
        break;
      default:
    }
    index += 1;
  }
  return index;
}

/** The index after the string whose opening quote is at `at`. */
function skipString(bytes: Buffer, at: number): number {
  for (let index = at + 1; index < bytes.length; index += 1) {
    if (bytes[index] === BACKSLASH) index += 1;
    else if (bytes[index] === QUOTE) return index + 1;
  }
  return bytes.length;
}
