import { isIPv6 } from 'node:net';
import { type FieldError, invalid } from '@flotilla/machinery';

/** An IP address as read: its family, its usual text, and whether it was written in a form that will be refused. */
export interface Address {
  readonly family: 4 | 6;
  readonly text: string;
  readonly standard: boolean;
}

const MAPPED = /^0*:?:?(0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Reads an address the way old API fields do: leading zeros and IPv4-mapped IPv6 addresses count. */
export function parseAddress(text: string): Address | undefined {
  const dotted = dottedAddress(text);
  if (dotted !== undefined) return { family: 4, text: dotted, standard: dotted === text };
  if (!text.includes(':') || text.includes('%')) return undefined;
  const mapped = MAPPED.exec(text)?.[2];
  const inner = mapped === undefined ? undefined : dottedAddress(mapped);
  if (inner !== undefined) return { family: 4, text: inner, standard: false };
  if (!isIPv6(text)) return undefined;
  return { family: 6, text: new URL(`http://[${text}]`).hostname.slice(1, -1), standard: true };
}

/** An address in a field that reads old notations; values that were there before pass. */
export function addressErrors(
  text: string,
  path: string,
  existing: readonly string[] = [],
): FieldError[] {
  if (existing.includes(text) || parseAddress(text) !== undefined) return [];
  return [invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Warnings about an address that is read but not in its usual form. */
export function addressWarnings(text: string, path: string): string[] {
  const address = parseAddress(text);
  if (address === undefined) return [];
  if (!address.standard) {
    return [
      `${path}: non-standard IP address "${text}" will be considered invalid in a future Kubernetes release: use "${address.text}"`,
    ];
  }
  if (address.family === 6 && address.text !== text) {
    return [
      `${path}: IPv6 address "${text}" should be in RFC 5952 canonical format ("${address.text}")`,
    ];
  }
  return [];
}

function dottedAddress(text: string): string | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]+$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? numbers.join('.') : undefined;
}
