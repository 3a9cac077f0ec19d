import { type ClientRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiResponse, MountedExchange } from '@flotilla/apiserver';
import { dialFailure } from './dial-failure.ts';
import { type FindMemberDeps, findMember } from './find-member.ts';
import { answerHeaders } from './forwarded-headers.ts';
import { beginRequest, memberRequest } from './member-request.ts';
import { relayed } from './relay-answer.ts';

interface Switched {
  readonly answer: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

interface Refused {
  readonly answer: IncomingMessage;
  readonly socket: undefined;
}

/** The client's side of a connection that is to speak another protocol. */
export interface ClientSide {
  readonly socket: Duplex;
  /** What it sent after the headers already. */
  readonly head: Buffer;
}

/**
 * Ties a client that asked for another protocol (WebSocket, SPDY) to its member: after the member agreed, bytes go both
 * ways as they are. What the member answers instead is given back.
 */
export async function tunnel(
  deps: FindMemberDeps,
  exchange: MountedExchange,
  client: ClientSide,
): Promise<ApiResponse | undefined> {
  const destination = await findMember(deps, exchange);
  const leave = destination.member.enter();
  const { options, headers } = memberRequest(destination, exchange);
  try {
    const call = beginRequest(options, {
      ...headers,
      connection: 'Upgrade',
      upgrade: exchange.request.headers['upgrade'] ?? '',
    });
    const outcome = await switched(call);
    const { answer } = outcome;
    if (outcome.socket === undefined) {
      answer.once('close', leave);
      return {
        status: answer.statusCode ?? 502,
        headers: answerHeaders(answer),
        body: relayed(answer, exchange),
      };
    }
    outcome.socket.once('close', leave);
    join(client, outcome, exchange.stopping);
    return undefined;
  } catch (error) {
    leave();
    exchange.request.signal.throwIfAborted();
    throw dialFailure(error, destination.member.place);
  }
}

function switched(call: ClientRequest): Promise<Switched | Refused> {
  return new Promise((resolve, reject) => {
    call.once('upgrade', (answer, socket, head) => resolve({ answer, socket, head }));
    call.once('response', (answer) => resolve({ answer, socket: undefined }));
    call.on('error', reject);
    call.end();
  });
}

function join(client: ClientSide, member: Switched, stopping: AbortSignal): void {
  const cut = (): void => {
    client.socket.destroy();
    member.socket.destroy();
  };
  for (const socket of [client.socket, member.socket]) {
    socket.on('error', cut);
    socket.once('close', () => {
      stopping.removeEventListener('abort', cut);
      cut();
    });
  }
  stopping.addEventListener('abort', cut, { once: true });
  if (stopping.aborted || client.socket.destroyed || member.socket.destroyed) {
    cut();
    return;
  }
  client.socket.write(headOf(member.answer));
  if (member.head.length > 0) client.socket.write(member.head);
  if (client.head.length > 0) member.socket.write(client.head);
  client.socket.pipe(member.socket);
  member.socket.pipe(client.socket);
}

function headOf(answer: IncomingMessage): string {
  const { statusCode = 101, headers } = answer;
  const lines = Object.entries({
    ...answerHeaders(answer),
    connection: 'Upgrade',
    upgrade: headers['upgrade'] ?? '',
  }).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n${lines.join('')}\r\n`;
}
