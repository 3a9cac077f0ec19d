import {
  badRequest,
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  ParseError,
  parseTime,
} from '@flotilla/machinery';
import { booleanParameter } from '../handlers/options.ts';

/** What a client wants to see of a container's log; numbers and times in the form kubelets read. */
export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  /** Whether the certificate of the kubelet is to be taken as it comes. */
  readonly skipsVerification: boolean;
  /** What the kubelet is asked, in the order of the names. */
  readonly query: URLSearchParams;
  readonly errors: readonly FieldError[];
}

/** Reads the query of pods/log; 400 for what is no number or time at all. */
export function logOptions(query: URLSearchParams): LogOptions {
  const follow = booleanParameter(query, 'follow') ?? false;
  const sinceSeconds = int64Parameter(query, 'sinceSeconds');
  const sinceTime = timeParameter(query, 'sinceTime');
  const tailLines = int64Parameter(query, 'tailLines');
  const limitBytes = int64Parameter(query, 'limitBytes');
  const asked: Readonly<Record<string, string | undefined>> = {
    follow: follow ? 'true' : undefined,
    limitBytes: limitBytes?.toString(),
    previous: booleanParameter(query, 'previous') === true ? 'true' : undefined,
    sinceSeconds: sinceSeconds?.toString(),
    sinceTime,
    tailLines: tailLines?.toString(),
    timestamps: booleanParameter(query, 'timestamps') === true ? 'true' : undefined,
  };
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0n) {
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1n) {
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    // Upstream's path of the whole object.
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1n) {
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  // Behind a feature gate that is off.
  if (query.has('stream')) errors.push(forbidden('stream', 'may not be specified'));
  return {
    container: query.get('container') ?? '',
    follow,
    skipsVerification: booleanParameter(query, 'insecureSkipTLSVerifyBackend') ?? false,
    query: new URLSearchParams(
      Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    errors,
  };
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Unlike those of lists, these parameters may not be empty. */
function int64Parameter(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const problem = (what: string): Error =>
    badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${what}`);
  if (!/^[+-]?\d+$/.test(text)) throw problem('invalid syntax');
  // More digits than any int64 has, zeros in front aside.
  if (text.replace(/^[+-]?0*/, '').length > 19) throw problem('value out of range');
  const value = BigInt(text.replace('+', ''));
  if (value > MAX_INT64 || value < -MAX_INT64 - 1n) throw problem('value out of range');
  return value;
}

const ZERO_TIME = '0001-01-01T00:00:00Z';

/** To the second and in UTC; empty is Go's zero time. */
function timeParameter(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (text === '' || text === 'null') return ZERO_TIME;
  try {
    const { seconds } = parseTime(text);
    return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  } catch (error) {
    if (error instanceof ParseError) throw badRequest(error.message);
    throw error;
  }
}
