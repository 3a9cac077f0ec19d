import { ABSENT, type Difference } from '../compare.ts';

/** Differences that are meant, wherever chance finds them. */
export interface Rule {
  readonly reason: string;
  readonly explains: (difference: Difference) => boolean;
  /** True when the servers hold other objects from there on, so that the rest of the case says nothing. */
  readonly partsWays?: boolean;
}

/** The rules; what none of them explains is a bug of ours. */
export const RULES: readonly Rule[] = [
  {
    reason:
      'a patch of the status of a Service that is not there creates none here; it does upstream, without an address',
    explains: ({ step, path, got }) =>
      /^PATCH \S+\/services\/[^/?]+\/status/.test(step) &&
      path.at(-1) === 'code' &&
      /^404 services "[^"]*" not found$/.test(String(got)),
    partsWays: true,
  },
  {
    reason: 'an empty list or map is none here; Go tells them apart where it prints a value',
    explains: ({ wanted, got }) => {
      const [a, b] = [String(wanted), String(got)];
      return a !== b && withoutEmpty(a) === withoutEmpty(b);
    },
  },
  {
    reason:
      'an empty list or map is none here; Go tells them apart in the diff of a refused update',
    explains: ({ wanted, got }) => {
      const [a, b] = [String(wanted), String(got)];
      return a.includes(POD_UPDATE) && beforeDiff(a) === beforeDiff(b);
    },
  },
  {
    reason: 'an empty map is none here; to Go it is a change of what is immutable',
    explains: ({ step, wanted, got }) =>
      /\/(configmaps|secrets)\//.test(step) && [wanted, got].every(isAboutImmutable),
  },
  {
    reason: 'a refused patch is shown as it was sent; upstream shows what its merge made of it',
    explains: ({ wanted, got }) =>
      [wanted, got].every((each) =>
        /patch: Invalid value: "map\[|^Invalid value: "map\[/.test(String(each)),
      ),
  },
  {
    reason:
      'upstream may write an object anew that a patch left as it was: it compares stored bytes, which do not always come out the same twice',
    explains: ({ path, wanted, got }) =>
      path.at(-1) === 'resourceVersion' && revisionOf(wanted) === revisionOf(got) + 1,
    partsWays: true,
  },
];

const POD_UPDATE = 'pod updates may not change fields other than';

function withoutEmpty(text: string): string {
  return text.replace(/Invalid value: (?:\{\}|\[\]|null):/g, 'Invalid value: <none>:');
}

function beforeDiff(text: string): string {
  const [before = ''] = text.split(/\\*n@@/, 1);
  return before;
}

/** One cause, the message of one cause or of several, or the place of a cause that the other side has. */
function isAboutImmutable(value: unknown): boolean {
  if (value === ABSENT) return true;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /field is immutable when `immutable` is set|is invalid: <causes>$/.test(text);
}

/** `<rv 3>` is the third revision of the case. */
function revisionOf(value: unknown): number {
  return Number(/^<rv (\d+)>$/.exec(String(value))?.[1]);
}
