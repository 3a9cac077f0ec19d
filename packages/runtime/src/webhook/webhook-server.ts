import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import {
  type Clock,
  durationToMs,
  encodeJson,
  parseDuration,
  parseJson,
} from '@flotilla/machinery';
import { listen } from '../http/listen.ts';
import type { Logger } from '../observer.ts';
import type { CertificateKeeper } from './certificate-keeper.ts';
import { BadReview } from './review.ts';
import type { Webhook } from './webhook.ts';

/** How a request can end: answered, the caller's fault, ours, or too late. */
export const webhookOutcomes = ['answered', 'bad', 'failed', 'late'] as const;

/** One of {@link webhookOutcomes}. */
export type WebhookOutcome = (typeof webhookOutcomes)[number];

/** What is counted for paths that callers made up, of which there is no end. */
export const UNKNOWN_PATH = 'unknown';

/** What to serve, and with which bounds. */
export interface WebhookServerOptions {
  readonly webhooks: readonly Webhook[];
  readonly certificates: Pick<CertificateKeeper, 'current' | 'subscribe'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 0 takes a free one. @default 9443 */
  readonly port?: number;
  /** @default 0.0.0.0: API servers call from elsewhere */
  readonly host?: string;
  /** Longest body, in bytes. Reviews hold two objects of up to 3 MB. @default 8 MiB */
  readonly maxBytes?: number;
  /** Longest time for an answer; API servers ask for less by `?timeout=`. @default 10,000 */
  readonly timeoutMs?: number;
  /** Reviews at once; more are told to come back. @default 256 */
  readonly maxConcurrent?: number;
  /** PEM; callers must then present a certificate of this authority. @default anyone may call */
  readonly clientAuthority?: string;
  /** Told of each request. */
  readonly meter?: (path: string, outcome: WebhookOutcome, durationMs: number) => void;
}

/** A running server; disposing of it lets requests finish that are under way. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
}

const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_CONCURRENT = 256;
const HEADERS_MS = 10_000;
const GRACE_MS = 10_000;

/** Starts to serve webhooks over TLS; new certificates are taken over without a restart. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { certificates, clock, clientAuthority, port = 9443, host = '0.0.0.0' } = options;
  const webhooks = new Map(options.webhooks.map((each) => [each.path, each]));
  if (webhooks.size !== options.webhooks.length) {
    throw new Error('Cannot serve webhooks: two of them have the same path');
  }
  const stop = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const tls = () => {
    const { certificate, key } = certificates.current();
    return { cert: certificate, key, minVersion: 'TLSv1.2' as const };
  };
  const server = createServer(
    {
      ...tls(),
      ...(clientAuthority === undefined
        ? {}
        : { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }),
      headersTimeout: HEADERS_MS,
      requestTimeout: options.timeoutMs ?? TIMEOUT_MS,
    },
    (request, response) => {
      const handled = handle(request, response, {
        ...options,
        webhooks,
        stop: stop.signal,
        isFull: inFlight.size >= (options.maxConcurrent ?? MAX_CONCURRENT),
      }).finally(() => inFlight.delete(handled));
      inFlight.add(handled);
    },
  );
  // Connections that stand keep their certificate; those to come get the new one.
  const renewal = certificates.subscribe(() => server.setSecureContext(tls()));
  const bound = await listen(server, { port, host });
  return {
    port: bound,
    [Symbol.asyncDispose]: async () => {
      renewal[Symbol.dispose]();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      using _late = clock.later(GRACE_MS, () => stop.abort());
      await Promise.all(inFlight);
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Handling extends Omit<WebhookServerOptions, 'webhooks'> {
  readonly webhooks: ReadonlyMap<string, Webhook>;
  readonly stop: AbortSignal;
  readonly isFull: boolean;
}

/** What is sent back when there is no review to send. */
class Refused extends Error {
  readonly status: number;
  readonly outcome: WebhookOutcome;

  constructor(status: number, message: string, outcome: WebhookOutcome = 'bad') {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.outcome = outcome;
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  handling: Handling,
): Promise<void> {
  const { clock, logger, meter, webhooks } = handling;
  const begun = clock.elapsed();
  const [path = '/', query] = (request.url ?? '/').split('?');
  let outcome: WebhookOutcome = 'answered';
  try {
    const webhook = webhooks.get(path);
    if (webhook === undefined) throw new Refused(404, 'There is no webhook at this path');
    const body = await answerOf(request, webhook, { ...handling, query });
    send(response, 200, { type: 'application/json', body });
  } catch (err) {
    const refused = asRefused(err);
    ({ outcome } = refused);
    if (outcome !== 'bad') logger.error('Cannot answer a webhook', { path, err });
    send(response, refused.status, {
      type: 'text/plain; charset=utf-8',
      body: `${refused.message}\n`,
    });
    // What is left of a body that nobody reads must not be taken for the next request.
    if (!request.complete) response.once('finish', () => request.destroy());
  } finally {
    meter?.(webhooks.has(path) ? path : UNKNOWN_PATH, outcome, clock.elapsed() - begun);
  }
}

function asRefused(err: unknown): Refused {
  if (err instanceof Refused) return err;
  if (err instanceof BadReview) return new Refused(400, err.message);
  // The API server shows this to users; the cause is in the log.
  return new Refused(500, 'The webhook failed', 'failed');
}

async function answerOf(
  request: IncomingMessage,
  webhook: Webhook,
  handling: Handling & { readonly query: string | undefined },
): Promise<string> {
  if (request.method !== 'POST') throw new Refused(405, 'Reviews are sent with POST');
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Refused(415, 'Reviews are application/json');
  }
  if (handling.isFull) throw new Refused(503, 'Too many reviews at once', 'late');
  const late = new AbortController();
  const timeoutMs = timeoutOf(handling);
  const timeout = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason as Error));
  });
  const isLate = new Refused(504, `There is no answer after ${timeoutMs} ms`, 'late');
  using _timer = handling.clock.later(timeoutMs, () => late.abort(isLate));
  const stopped = () => late.abort(new Refused(503, 'The webhook stops', 'late'));
  handling.stop.addEventListener('abort', stopped, { once: true });
  try {
    const body = await Promise.race([readBody(request, handling.maxBytes ?? MAX_BYTES), timeout]);
    return encodeJson(await Promise.race([webhook.answer(decoded(body), late.signal), timeout]));
  } finally {
    handling.stop.removeEventListener('abort', stopped);
  }
}

/** The shorter of our bound and the caller's, who would not wait longer in any case. */
function timeoutOf({
  query,
  timeoutMs = TIMEOUT_MS,
}: Handling & { query: string | undefined }): number {
  const asked = new URLSearchParams(query).get('timeout');
  if (asked === null) return timeoutMs;
  try {
    const ms = Number(durationToMs(parseDuration(asked)));
    return ms > 0 ? Math.min(ms, timeoutMs) : timeoutMs;
  } catch {
    return timeoutMs;
  }
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLong = new Refused(413, `Reviews are at most ${maxBytes} bytes long`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLong;
  const chunks: Buffer[] = [];
  let length = 0;
  // Not for await: leaving the loop would end the connection before the answer is sent.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        request.pause();
        reject(tooLong);
      }
    });
    request.once('end', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new BadReview('the caller went away')));
  });
  return Buffer.concat(chunks);
}

function decoded(body: Buffer): unknown {
  try {
    return parseJson(body).value;
  } catch {
    throw new BadReview('it is no JSON');
  }
}

function send(
  response: ServerResponse,
  status: number,
  { type, body }: { readonly type: string; readonly body: string },
): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
  response.end(bytes);
}
