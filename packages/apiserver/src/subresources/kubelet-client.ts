import type { IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { StatusError } from '@flotilla/machinery';
import type { CertificatePair } from '../authn/certificates.ts';
import type { Clock } from '../clock.ts';
import type { StreamBody } from '../http/exchange.ts';
import { dialProblem } from './dial-problem.ts';
import { ADDRESS_TYPES, KUBELET_PORT, type KubeletLocation } from './kubelet-location.ts';

/** How a server speaks to kubelets. */
export interface KubeletOptions {
  /** The certificate by which the server proves itself; without it, it does not. */
  readonly credentials?: () => CertificatePair | undefined;
  /** PEM of those who sign kubelets' certificates; without it, these are not verified, as upstream has it. */
  readonly authorities?: string;
  /** @default Hostname, InternalDNS, InternalIP, ExternalDNS, ExternalIP */
  readonly addressTypes?: readonly string[];
  /** The port of nodes that name none. @default 10250 */
  readonly port?: number;
}

/** One GET to a kubelet. */
export interface KubeletRequest {
  readonly location: KubeletLocation;
  /** Path and query. */
  readonly path: string;
  readonly skipsVerification: boolean;
  readonly signal: AbortSignal;
}

/** Speaks to the kubelets of nodes. */
export interface KubeletClient {
  readonly addressTypes: readonly string[];
  readonly port: number;
  /** Resolves when the headers of an answer are here; throws a StatusError when none comes. */
  readonly get: (request: KubeletRequest) => Promise<IncomingMessage>;
}

/** From dialling to the headers of the answer. */
const ANSWER_WITHIN_MS = 30_000;

/** Makes a client. Every request has a connection of its own, closed with the request. */
export function kubeletClient(options: KubeletOptions, clock: Clock): KubeletClient {
  return {
    addressTypes: options.addressTypes ?? ADDRESS_TYPES,
    port: options.port ?? KUBELET_PORT,
    get: (request) => send(options, clock, request),
  };
}

function send(
  options: KubeletOptions,
  clock: Clock,
  { location, path, skipsVerification, signal }: KubeletRequest,
): Promise<IncomingMessage> {
  const url = `https://${hostPort(location)}${path}`;
  return new Promise((resolve, reject) => {
    const call = httpsRequest({
      host: location.host,
      port: location.port,
      path,
      method: 'GET',
      agent: false,
      signal,
      headers: { host: hostPort(location), 'user-agent': 'flotilla' },
      ...tlsOptions(options, skipsVerification),
    });
    const cancel = clock.after(ANSWER_WITHIN_MS, () =>
      call.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
    );
    call.once('response', (response) => {
      cancel();
      const { location: elsewhere } = response.headers;
      if (isRedirect(response.statusCode) && elsewhere !== undefined) {
        // Only what the Node says is dialled, and a kubelet is not the Node.
        response.destroy();
        const target = URL.canParse(elsewhere, url) ? new URL(elsewhere, url).href : elsewhere;
        reject(new StatusError(500, '', `Get ${JSON.stringify(target)}: redirects forbidden`));
        return;
      }
      resolve(response);
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      cancel();
      const text = `Get ${JSON.stringify(url)}: ${dialProblem(error, location)}`;
      reject(new StatusError(500, '', text));
    });
    call.end();
  });
}

function tlsOptions(options: KubeletOptions, skipsVerification: boolean): RequestOptions {
  const credentials = options.credentials?.();
  const isVerified = options.authorities !== undefined && !skipsVerification;
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: isVerified,
    // Ours alone count, never the machine's; an empty list spares loading those.
    ca: isVerified ? (options.authorities ?? []) : [],
    // Go trusts whatever a bundle holds, the certificate of a kubelet itself too.
    allowPartialTrustChain: true,
    ...(credentials === undefined ? {} : { cert: credentials.certificate, key: credentials.key }),
  };
}

function isRedirect(status = 0): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Go's net.JoinHostPort. */
function hostPort({ host, port }: KubeletLocation): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** More of a refusal is not read. */
const REFUSAL_BYTES = 50_000;

/** The text of a refusal, or its beginning. */
export async function refusalText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= REFUSAL_BYTES) break;
    }
  } catch {
    // A refusal that breaks off is still a refusal.
  }
  return Buffer.concat(chunks).subarray(0, REFUSAL_BYTES).toString();
}

/** A kubelet that has more to say says it within this time. */
const SILENCE_MS = 60_000;

/**
 * The answer as it comes, no faster than the client reads it; when the client goes, so does the connection to the
 * kubelet. Whoever follows a log may wait for the next line as long as they like.
 */
export function forwarded(response: IncomingMessage, { follow }: { follow: boolean }): StreamBody {
  return {
    start: (sink) => {
      response.on('data', (chunk: Buffer) => {
        if (sink.write(chunk)) return;
        response.pause();
        sink.onDrain(() => response.resume());
      });
      // A log that breaks off ends like any other, as upstream has it: the client has what there is.
      response.once('error', () => sink.end());
      response.once('end', () => sink.end());
      sink.onClose(() => response.destroy());
      if (follow) return;
      response.setTimeout(SILENCE_MS, () => {
        if (!response.isPaused()) response.destroy(new Error('Cannot go on: nothing comes'));
      });
    },
  };
}
