import type { IncomingMessage } from 'node:http';
import type { ApiResponse, MountedExchange } from '@flotilla/apiserver';
import { dialFailure } from './dial-failure.ts';
import { type FindMemberDeps, findMember } from './find-member.ts';
import { answerHeaders, type Headers } from './forwarded-headers.ts';
import { beginRequest, memberRequest, sendBody } from './member-request.ts';
import { relayed } from './relay-answer.ts';

/** How often a read is sent again that met a connection the member was just closing. */
const TRIES = 3;
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Sends a request on to its member, and the answer back as it comes. */
export async function proxyRequest(
  deps: FindMemberDeps,
  exchange: MountedExchange,
): Promise<ApiResponse> {
  const destination = await findMember(deps, exchange);
  const leave = destination.member.enter();
  try {
    const answer = await answered(exchange, memberRequest(destination, exchange));
    answer.once('close', leave);
    return {
      status: answer.statusCode ?? 502,
      headers: answerHeaders(answer),
      body: relayed(answer, exchange),
    };
  } catch (error) {
    leave();
    // Who is gone needs no answer; all others learn what kept the member from giving one.
    exchange.request.signal.throwIfAborted();
    throw dialFailure(error, destination.member.place);
  }
}

async function answered(
  { request }: MountedExchange,
  { options, headers }: ReturnType<typeof memberRequest>,
): Promise<IncomingMessage> {
  const body = request.incoming();
  const framed = body === undefined ? withoutBody(headers) : withBody(headers);
  for (let tries = 1; ; tries += 1) {
    const call = beginRequest(options, framed);
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        call.once('response', resolve);
        call.on('error', reject);
        sendBody(body, call);
      });
    } catch (error) {
      const isStale = call.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      const isAgain = isStale && body === undefined && REPEATABLE.has(request.method);
      if (!isAgain || tries === TRIES) throw error;
    }
  }
}

/** Without a length it goes in chunks, which node:http would not do for every method. */
function withBody(headers: Headers): Headers {
  return headers['content-length'] === undefined
    ? { ...headers, 'transfer-encoding': 'chunked' }
    : headers;
}

/** Some clients say that they send nothing, and some servers want to hear it. */
function withoutBody({ 'content-length': length, ...headers }: Headers): Headers {
  return length === '0' ? { ...headers, 'content-length': length } : headers;
}
