import { TransportError } from '@flotilla/client';
import { statusErrorOf } from '@flotilla/machinery';
import { brief } from '../brief.ts';
import type { ReasonFor } from '../conditions.ts';

/** Why a member cannot be reached, in the words of its condition. */
export interface MemberFault {
  readonly reason: ReasonFor<'APIServerReachable', 'False'>;
  readonly message: string;
}

/** What was asked, for the message. */
export interface Asked {
  readonly endpoint: string;
  /** The limit that applied, as the spec writes it. */
  readonly timeout: string;
}

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'ENODATA', 'ESERVFAIL']);
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * Says why no usable answer came; undefined for errors that are not the member's: those of our own end, which are to be
 * thrown on. Messages name the endpoint and the time limit, never what was presented there.
 */
export function memberFault(error: unknown, asked: Asked): MemberFault | undefined {
  if (error instanceof TransportError) {
    if (error.fault === 'aborted') return undefined;
    return { reason: transportReason(error), message: tell(error.message, asked) };
  }
  const refusal = statusErrorOf(error);
  if (refusal === undefined) return undefined;
  return {
    reason: refusal.code === 504 ? 'Timeout' : 'ServerError',
    message: tell(`it answered ${refusal.code} (${refusal.message.slice(0, 300)})`, asked),
  };
}

function transportReason(error: TransportError): MemberFault['reason'] {
  switch (error.fault) {
    case 'timeout':
      return 'Timeout';
    case 'tls':
      return 'TLSVerificationFailed';
    case 'proxy':
      return 'ProxyFailed';
    case 'unreachable': {
      const codes = codesOf(error.cause);
      if (codes.some((code) => DNS_CODES.has(code))) return 'DNSFailed';
      return codes.some((code) => TIMEOUT_CODES.has(code)) ? 'Timeout' : 'DialFailed';
    }
    default:
      return 'ServerError';
  }
}

function codesOf(cause: unknown): string[] {
  const all = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return all.flatMap((each) => {
    const code = (each as { code?: unknown } | undefined)?.code;
    return typeof code === 'string' ? [code] : [];
  });
}

function tell(what: string, { endpoint, timeout }: Asked): string {
  const text = what.includes(endpoint) ? what : `Cannot use "${endpoint}": ${what}`;
  return brief(`${text} (connectionTimeout ${timeout})`);
}
