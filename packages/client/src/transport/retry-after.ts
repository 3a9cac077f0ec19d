import type { WireHead, WireRequest } from '../transport.ts';

const SAFE = new Set<WireRequest['method']>(['GET', 'HEAD', 'OPTIONS']);

/** Whether asking twice is the same as asking once. */
export function isSafe(method: WireRequest['method']): boolean {
  return SAFE.has(method);
}

/** How long an overloaded server asks us to wait; undefined when it does not say. */
export function retryAfterMs({ status, headers }: WireHead, now: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
