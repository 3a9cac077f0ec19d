import { type Agent, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../clock.ts';
import type { Store, Tenant } from '../storage/store.ts';
import { answerError } from './answer-error.ts';
import { addressOf, type Endpoint, endpointOf, type WebhookTarget } from './endpoint.ts';
import { goNetworkError, WebhookFailure } from './failure.ts';
import { createGates } from './gates.ts';

/** One call of a webhook. */
export interface WebhookCall {
  readonly tenant: Tenant;
  readonly target: WebhookTarget;
  readonly body: Buffer;
  readonly timeoutSeconds: number;
  /** Aborted when nobody waits for the outcome any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Talks to webhooks of users. What it dials is what their configuration names, and nothing an answer says. */
export interface WebhookClient extends Disposable {
  /** The body of a successful answer; rejects with a WebhookFailure. */
  readonly post: (call: WebhookCall) => Promise<Buffer>;
}

/** Larger than any object we store, patched as a whole and in base64. */
const MAX_ANSWER = 8 * 1024 * 1024;
const CONNECTIONS = 50;
const IDLE_CONNECTIONS = 4;
/** Connections of this many webhooks are kept for their next call. */
const MAX_AGENTS = 64;

/** Makes a client; connections are kept apart by tenant, authority and address. */
export function createWebhookClient(deps: { store: Store; clock: Clock }): WebhookClient {
  const { store, clock } = deps;
  const agents = new Map<string, { agent: Agent; calls: number; isForgotten: boolean }>();
  const gates = createGates(clock);

  const agentFor = (key: string, ca: string | undefined) => {
    const known = agents.get(key);
    if (known !== undefined) {
      // A map keeps the order of insertion: the one used last is forgotten last.
      agents.delete(key);
      agents.set(key, known);
      return known;
    }
    const made = {
      agent: new HttpsAgent({
        keepAlive: true,
        maxSockets: CONNECTIONS,
        maxFreeSockets: IDLE_CONNECTIONS,
        timeout: 60_000,
        // Go trusts whatever a bundle holds, and envtest's holds the certificate of the webhook itself.
        ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
      }),
      calls: 0,
      isForgotten: false,
    };
    agents.set(key, made);
    if (agents.size > MAX_AGENTS) {
      for (const [oldest, each] of agents) {
        agents.delete(oldest);
        each.isForgotten = true;
        if (each.calls === 0) each.agent.destroy();
        break;
      }
    }
    return made;
  };

  return {
    post: async (call) => {
      const { tenant, target, timeoutSeconds } = call;
      const { authority, path } = addressOf(target);
      const ca = authorities(target);
      const key = JSON.stringify([tenant, authority, target.caBundle ?? '']);
      const leave = gates.enter(tenant, key);
      const held = agentFor(key, ca);
      held.calls += 1;
      let outcome: 'answered' | 'failed' = 'failed';
      const url = `${path}?timeout=${timeoutSeconds}s`;
      try {
        const endpoint = endpointOf(store, tenant, target);
        const answer = await patiently({ call, endpoint, agent: held.agent, path: url, clock });
        outcome = 'answered';
        return answer;
      } catch (error) {
        if (error instanceof WebhookFailure && error.stage === 'client') throw error;
        if (error instanceof AnswerFailure) {
          outcome = 'answered';
          throw new WebhookFailure('call', error.message);
        }
        const text = error instanceof WebhookFailure ? error.message : goNetworkError(error);
        const message = `Post "https://${authority}${url}": ${text}`;
        throw new WebhookFailure('call', message, { cause: error });
      } finally {
        held.calls -= 1;
        if (held.isForgotten && held.calls === 0) held.agent.destroy();
        leave(outcome);
      }
    },
    [Symbol.dispose]: () => {
      for (const { agent } of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

/** The webhook did answer; the address says nothing about what is wrong with it. */
class AnswerFailure extends Error {}

function authorities({ caBundle = '' }: WebhookTarget): string | undefined {
  if (caBundle === '') return undefined;
  const pem = Buffer.from(caBundle, 'base64').toString('utf8');
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new WebhookFailure(
    'client',
    'unable to load root certificates: unable to parse bytes as PEM block',
  );
}

interface Exchange {
  readonly call: WebhookCall;
  readonly endpoint: Endpoint;
  readonly agent: Agent;
  readonly path: string;
  readonly clock: Clock;
}

/** The other side closed an idle connection before we wrote anything: the call did not reach anyone. */
class StaleConnection extends Error {}

/** Goes on to the next connection while those that were kept turn out to be closed. */
async function patiently(call: Exchange): Promise<Buffer> {
  for (let left = IDLE_CONNECTIONS; ; left -= 1) {
    try {
      return await exchange(call);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      if (left === 0) throw error.cause;
    }
  }
}

/** One deadline covers everything: waiting for a connection, the handshake, the headers and the last byte. */
function exchange({ call, endpoint, agent, path, clock }: Exchange): Promise<Buffer> {
  const { body, signal, timeoutSeconds } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new WebhookFailure('call', 'context canceled'));
      return;
    }
    const request = httpsRequest({
      host: endpoint.host,
      port: endpoint.port,
      path,
      method: 'POST',
      agent,
      ...(endpoint.serverName === '' ? {} : { servername: endpoint.serverName }),
      headers: {
        host: endpoint.authority,
        'content-type': 'application/json',
        'content-length': body.length,
        accept: 'application/json, */*',
        'user-agent': 'kube-apiserver-admission',
      },
    });
    const finish = (settle: () => void): void => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const fail = (error: Error): void => finish(() => reject(error));
    const giveUp = (reason: string) => (): void => {
      fail(new WebhookFailure('call', reason));
      request.destroy();
    };
    const onAbort = giveUp('context canceled');
    const cancel = clock.after(timeoutSeconds * 1000, giveUp('context deadline exceeded'));
    signal?.addEventListener('abort', onAbort, { once: true });
    let isWritten = false;
    request.on('error', (error: NodeJS.ErrnoException) => {
      fail(isWritten ? error : new StaleConnection('', { cause: error }));
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= MAX_ANSWER) return;
        fail(unreadable(`the answer is larger than ${MAX_ANSWER} bytes`));
        request.destroy();
      });
      // Where the other side breaks off, Node says so here and not at the request.
      response.on('error', () => fail(unreadable('unexpected EOF')));
      response.on('aborted', () => fail(unreadable('unexpected EOF')));
      response.on('end', () => {
        const answer = {
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks),
        };
        const problem = answerError(answer);
        if (problem !== undefined) fail(new AnswerFailure(problem));
        else if (answer.body.length === 0) fail(new AnswerFailure(empty(answer)));
        else finish(() => resolve(answer.body));
      });
    });
    const write = (): void => {
      isWritten = true;
      request.end(body);
    };
    request.once('socket', () => {
      // A whole turn of the event loop, in which we hear of what the other side did to an idle connection.
      if (request.reusedSocket) setImmediate(() => setImmediate(write));
      else write();
    });
  });
}

function empty({ status, contentType }: { status: number; contentType: string }): string {
  const type = contentType === '' ? 'application/json' : contentType;
  return `0-length response with status code: ${status} and content type: ${type}`;
}

function unreadable(why: string): AnswerFailure {
  return new AnswerFailure(
    `unexpected error when reading response body. Please retry. Original error: ${why}`,
  );
}
