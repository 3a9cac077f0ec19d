import type {
  Access,
  Credential,
  Impersonation,
  Presented,
  Transport,
  WireHead,
  WireRequest,
} from '@flotilla/client';
import { TransportError } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';

/** From these verbosities on. */
export const LOG_REQUESTS = 6;
const LOG_HEADERS = 8;
const LOG_BODIES = 9;

/** As much of a body as kubectl shows at its verbosity 9. */
const MAX_BODY = 10_240;

/** Headers whose values let others act as their sender. */
const SECRET_HEADER = /^(?:proxy-)?authorization$|cookie|token|secret|password|api-?key/;
/** What may hold credentials in its body. */
const SECRET_PATH =
  /\/(?:secrets|tokenreviews|certificatesigningrequests)(?:[/?]|$)|\/token(?:\?|$)/;
const REDACTED = '<redacted>';

/** Where requests are told, and by which name. */
export interface RequestLog {
  readonly cluster: string;
  readonly verbosity: number;
  readonly clock: Clock;
  readonly note: (level: number, text: string) => void;
}

/** Makes a transport whose requests are told on stderr: at 6 the requests, at 8 their headers, at 9 their bodies. */
export function loggedTransport(
  options: { readonly access: Access; readonly userAgent: string; readonly log: RequestLog },
  create: (access: Access) => Transport,
): Transport {
  const { access, userAgent, log } = options;
  const { credential, presented } = observed(access.credential);
  const inner = create({ ...access, credential });
  const standing = () => ({
    'user-agent': userAgent,
    ...(presented()?.authorization === undefined ? {} : { authorization: REDACTED }),
    ...impersonationHeaders(access.impersonate),
  });
  const told = async <T extends WireHead>(
    request: WireRequest,
    go: (request: WireRequest) => Promise<T>,
    bodyOf: (answer: T) => Buffer | undefined,
  ): Promise<T> => {
    const since = log.clock.elapsed();
    const what = `${log.cluster}: ${request.method} ${access.server}${request.path}`;
    const took = () => `in ${Math.round(log.clock.elapsed() - since)} milliseconds`;
    const details = (answer?: T) =>
      detailsOf(request, { answer, body: answer && bodyOf(answer), standing: standing(), log });
    try {
      const answer = await go(request);
      log.note(LOG_REQUESTS, `${what} ${answer.status} ${took()}${details(answer)}`);
      return answer;
    } catch (error) {
      const fault = error instanceof TransportError ? error.fault : 'failed';
      log.note(LOG_REQUESTS, `${what} ${fault} ${took()}${details()}`);
      throw error;
    }
  };
  return {
    send: (request) => told(request, inner.send, ({ body }) => body),
    stream: (request) => told(request, inner.stream, () => undefined),
    upgrade: (request) => told(request, inner.upgrade, () => undefined),
    ...(inner.prepare === undefined ? {} : { prepare: inner.prepare }),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

/** Remembers what was presented last: it says whether there was an Authorization header, which is added further down. */
function observed(credential: Credential): {
  credential: Credential;
  presented: () => Presented | undefined;
} {
  let last: Presented | undefined;
  return {
    presented: () => last,
    credential: {
      present: async (signal) => {
        last = await credential.present(signal);
        return last;
      },
      refused: credential.refused,
    },
  };
}

interface Exchanged {
  readonly answer: WireHead | undefined;
  readonly body: Buffer | undefined;
  readonly standing: Readonly<Record<string, string | readonly string[]>>;
  readonly log: RequestLog;
}

function detailsOf(request: WireRequest, { answer, body, standing, log }: Exchanged): string {
  if (log.verbosity < LOG_HEADERS) return '';
  const isSecret = SECRET_PATH.test(request.path);
  const lines = ['', '  Request Headers:', ...headerLines({ ...standing, ...request.headers })];
  if (log.verbosity >= LOG_BODIES && request.body !== undefined) {
    lines.push(`  Request Body: ${bodyText(request.body, isSecret)}`);
  }
  if (answer !== undefined) lines.push('  Response Headers:', ...headerLines(answer.headers));
  if (log.verbosity >= LOG_BODIES && body !== undefined) {
    lines.push(`  Response Body: ${bodyText(body, isSecret)}`);
  }
  return lines.join('\n');
}

function headerLines(headers: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    (typeof values === 'string' ? [values] : values).map(
      (value) => `    ${canonical(name)}: ${SECRET_HEADER.test(name) ? REDACTED : value}`,
    ),
  );
}

/** `Content-Type`, as people know it. */
function canonical(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

function bodyText(body: Buffer | string, isSecret: boolean): string {
  if (isSecret) return `<${Buffer.byteLength(body)} bytes that may hold credentials>`;
  const text = body.toString();
  if (text.length <= MAX_BODY) return text;
  return `${text.slice(0, MAX_BODY)} [truncated ${text.length - MAX_BODY} chars]`;
}

function impersonationHeaders(
  impersonate: Impersonation | undefined,
): Record<string, string | readonly string[]> {
  if (impersonate === undefined) return {};
  const { user, uid, groups = [], extra = {} } = impersonate;
  return {
    'impersonate-user': user,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${key}`, values]),
    ),
  };
}
