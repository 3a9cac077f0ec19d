import { goQuote } from '../../go/quote.ts';
import { boolType, intType, stringType } from '../types.ts';
import { CelFault, CelOpaque } from '../values/value.ts';
import { define, type FunctionDecl, global, member } from './function.ts';
import { semverType } from './opaque-types.ts';

const MAX_UINT = 2n ** 64n - 1n;

/** A part of a pre-release: numbers come before words. */
type PreRelease = bigint | string;

/** A semantic version. */
export class CelSemver extends CelOpaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly preRelease: readonly PreRelease[];

  constructor(numbers: readonly [bigint, bigint, bigint], preRelease: readonly PreRelease[]) {
    super();
    this.numbers = numbers;
    this.preRelease = preRelease;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelSemver && compare(this, other) === 0;
  }
}

class VersionError extends Error {}

function order<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function comparePreRelease(a: PreRelease, b: PreRelease): number {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? order(a, b) : -1;
  return typeof b === 'bigint' ? 1 : order(a, b);
}

function compare(a: CelSemver, b: CelSemver): number {
  for (let i = 0; i < 3; i++) {
    const sign = order(a.numbers[i] ?? 0n, b.numbers[i] ?? 0n);
    if (sign !== 0) return sign;
  }
  const [left, right] = [a.preRelease, b.preRelease];
  // A version without a pre-release comes after all of its pre-releases.
  if (left.length === 0 || right.length === 0) {
    return Math.sign(right.length - left.length);
  }
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const sign = comparePreRelease(left[i] as PreRelease, right[i] as PreRelease);
    if (sign !== 0) return sign;
  }
  return Math.sign(left.length - right.length);
}

/** The first parts at a separator; the last keeps the rest. */
function splitRest(text: string, separator: string, count: number): string[] {
  const parts = text.split(separator);
  if (parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function uint(text: string): bigint {
  const value = text.length > 30 ? MAX_UINT + 1n : BigInt(text);
  if (value <= MAX_UINT) return value;
  throw new VersionError(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
}

function number(text: string, name: string): bigint {
  if (!/^\d*$/.test(text)) {
    throw new VersionError(
      `Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(text)}`,
    );
  }
  if (/^0\d/.test(text)) {
    throw new VersionError(`${name} number must not contain leading zeroes ${goQuote(text)}`);
  }
  if (text === '') throw new VersionError('strconv.ParseUint: parsing "": invalid syntax');
  return uint(text);
}

function preRelease(text: string): PreRelease {
  if (text === '') throw new VersionError('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (/^0\d/.test(text)) {
      throw new VersionError(
        `Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`,
      );
    }
    return uint(text);
  }
  if (/^[A-Za-z0-9-]+$/.test(text)) return text;
  throw new VersionError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
}

function parse(text: string): CelSemver {
  if (text === '') throw new VersionError('Version string empty');
  const parts = splitRest(text, '.', 3);
  const [major = '', minor = '', rest] = parts;
  if (rest === undefined) throw new VersionError('No Major.Minor.Patch elements found');
  const first = number(major, 'Major');
  const second = number(minor, 'Minor');
  const [withoutBuild = '', build] = splitRest(rest, '+', 2);
  const [patch = '', pre] = splitRest(withoutBuild, '-', 2);
  const numbers = [first, second, number(patch, 'Patch')] as const;
  const version = new CelSemver(numbers, pre === undefined ? [] : pre.split('.').map(preRelease));
  for (const part of build === undefined ? [] : build.split('.')) {
    if (part === '') throw new VersionError('Build meta data is empty');
    if (!/^[A-Za-z0-9-]+$/.test(part)) {
      throw new VersionError(`Invalid character(s) found in build meta data ${goQuote(part)}`);
    }
  }
  return version;
}

/** Forgives a leading `v`, leading zeros and missing parts. */
function normalize(text: string): string {
  const parts = splitRest(text.replace(/^v/, ''), '.', 3).map((part) => {
    if (part.length <= 1) return part;
    const bare = part.replace(/^0+/, '');
    return /^\d/.test(bare) ? bare : `0${bare}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new VersionError('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

function read(text: string, isLenient = false): CelSemver | CelFault {
  try {
    return parse(isLenient ? normalize(text) : text);
  } catch (err) {
    if (!(err instanceof VersionError)) throw err;
    return new CelFault(err.message);
  }
}

const isVersion = (text: string, isLenient = false): boolean =>
  read(text, isLenient) instanceof CelSemver;

const part = (name: string, index: 0 | 1 | 2): FunctionDecl =>
  define(
    name,
    member(`semver_${name}`, {
      args: [semverType],
      result: intType,
      call: (version: CelSemver) => BigInt.asIntN(64, version.numbers[index]),
    }),
  );

const pair = [semverType, semverType];

/** Kubernetes' library of semantic versions. */
export const semverFunctions: readonly FunctionDecl[] = [
  define(
    'semver',
    global('string_to_semver', { args: [stringType], result: semverType, call: read }),
    global('string_bool_to_semver', {
      args: [stringType, boolType],
      result: semverType,
      call: read,
    }),
  ),
  define(
    'isSemver',
    global('is_semver_string', { args: [stringType], result: boolType, call: isVersion }),
    global('is_semver_string_bool', {
      args: [stringType, boolType],
      result: boolType,
      call: isVersion,
    }),
  ),
  define(
    'isGreaterThan',
    member('semver_is_greater_than', {
      args: pair,
      result: boolType,
      call: (a: CelSemver, b: CelSemver) => compare(a, b) > 0,
    }),
  ),
  define(
    'isLessThan',
    member('semver_is_less_than', {
      args: pair,
      result: boolType,
      call: (a: CelSemver, b: CelSemver) => compare(a, b) < 0,
    }),
  ),
  define(
    'compareTo',
    member('semver_compare_to', {
      args: pair,
      result: intType,
      call: (a: CelSemver, b: CelSemver) => BigInt(compare(a, b)),
    }),
  ),
  part('major', 0),
  part('minor', 1),
  part('patch', 2),
];
