import { isIP } from 'node:net';
import { KubeconfigError, TransportError } from '@flotilla/client';
import { goQuote, isInvalid, isUnauthorized, StatusError } from '@flotilla/machinery';
import { NoClusters } from './inventory/no-clusters.ts';
import type { Io } from './io.ts';
import { printableText } from './text/printable.ts';
import { UsageError } from './usage-error.ts';

/** Tells on stderr what ended a run, in kubectl's words where it has some, and gives the exit code. */
export function reportError(error: unknown, io: Pick<Io, 'err' | 'env'>): number {
  const text = printableText(errorText(error));
  io.err(text.endsWith('\n') ? text : `${text}\n`);
  const isDebugging = (io.env['FLOTILLA_DEBUG'] ?? '') !== '';
  if (isDebugging && error instanceof Error) io.err(`${printableText(error.stack ?? '')}\n`);
  else if (isBug(error)) io.err('This is a mistake of kubectl mc; FLOTILLA_DEBUG=1 shows where\n');
  return error instanceof NoClusters ? error.exitCode : 1;
}

/** What kubectl would print of an error. */
export function errorText(error: unknown): string {
  if (error instanceof StatusError) return statusText(error);
  if (error instanceof TransportError) return transportText(error);
  if (error instanceof KubeconfigError) return kubeconfigText(error);
  if (error instanceof NoClusters) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith('error: ') ? message : `error: ${message}`;
}

function statusText(error: StatusError): string {
  if (isInvalid(error)) return invalidText(error);
  if (isUnauthorized(error)) return `error: You must be logged in to the server (${error.message})`;
  const reason = error.reason === '' ? '' : ` (${error.reason})`;
  return `Error from server${reason}: ${error.message}`;
}

function invalidText({ message, details }: StatusError): string {
  const { kind = '', name = '', causes = [] } = details ?? {};
  const isNamed = kind !== '' || name !== '';
  const said = isNamed ? `The ${kind} ${goQuote(name)} is invalid` : 'The request is invalid';
  if (causes.length > 0) {
    const texts = causes.map(({ field = '', message: why = '' }) => `${field}: ${why}`);
    return multiline(`${said}: `, [...new Set(texts)]);
  }
  return isNamed || message === '' ? said : `${said}: ${message}`;
}

function transportText(error: TransportError): string {
  const refused = refusedAddress(error.cause);
  if (refused !== undefined) {
    return `The connection to the server ${refused} was refused - did you specify the right host or port?`;
  }
  return `Unable to connect to the server: ${error.message}`;
}

/** `host:port` when nobody listens there. */
function refusedAddress(cause: unknown): string | undefined {
  const first = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  if (!(first instanceof Error)) return undefined;
  const { code, address, port } = first as Error & { address?: string; port?: number } & {
    code?: string;
  };
  if (code !== 'ECONNREFUSED' || address === undefined || port === undefined) return undefined;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

const INVALID = /^invalid configuration: /;

function kubeconfigText(error: KubeconfigError): string {
  if (error.isEmpty || !INVALID.test(error.message)) return `error: ${error.message}`;
  return multiline('Error in configuration: ', [...new Set(error.problems)]);
}

/** Several reasons have a line each. */
function multiline(prefix: string, texts: readonly string[]): string {
  if (texts.length === 1) return `${prefix}${texts[0]}`;
  return `${prefix}\n${texts.map((text) => `* ${text}\n`).join('')}`;
}

/** Those that the language throws are nobody's words. */
function isBug(error: unknown): boolean {
  if (error instanceof UsageError) return false;
  return (
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  );
}
