import { Readable, Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { isJsonObject, type Json } from '@flotilla/machinery';
import type { Transport } from '../transport.ts';
import { decodeJson } from '../verbs/exchange.ts';
import { statusError } from '../verbs/refusal.ts';
import { openWebSocket, type WebSocketLink, type WebSocketRequest } from './web-socket.ts';

/** A process in a container, and what connects us to it. */
export interface RemoteProcess extends Disposable {
  /** `v5.channel.k8s.io`, or `v4.channel.k8s.io` of servers before 1.29. */
  readonly protocol: string;
  /** Writes to the process; ending it is the end of its input, if the protocol can say so. */
  readonly stdin: Writable;
  /** False with protocol v4: the process waits for more input whatever happens here. */
  readonly canEndInput: boolean;
  /** What is not read holds everything up; destroy a stream to have it dropped. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Tells a terminal its size. */
  readonly resize: (size: { readonly columns: number; readonly rows: number }) => Promise<void>;
  /** The exit code. Throws a StatusError when there was no process to end, a TransportError when the connection was cut. */
  readonly exit: Promise<number>;
}

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;
const CLOSE = 255;

const V5 = 'v5.channel.k8s.io';
const V4 = 'v4.channel.k8s.io';

/** Servers and proxies have limits on messages; kubectl sends 32 KiB at a time. */
const MAX_SEND_BYTES = 32 << 10;

/** Opens the streams of a process. */
export async function openRemoteProcess(
  transport: Transport,
  request: Omit<WebSocketRequest, 'protocols' | 'onMessage'>,
): Promise<RemoteProcess> {
  const waiting: Buffer[] = [];
  let receive = (message: Buffer): void => {
    waiting.push(message);
  };
  const link = await openWebSocket(transport, {
    ...request,
    protocols: [V5, V4],
    onMessage: (message) => receive(message),
  });
  const outputs = linkedOutputs(link);
  const verdict: Buffer[] = [];
  receive = (message) => {
    const channel = message[0];
    const data = message.subarray(1);
    if (channel === STDOUT) outputs.stdout.take(data);
    else if (channel === STDERR) outputs.stderr.take(data);
    else if (channel === ERROR) verdict.push(data);
    // The server may say that a stream has ended; the others go on.
    else if (channel === CLOSE) outputs.end(data[0]);
  };
  waiting.forEach(receive);

  const stdin = inputOf(link);
  const exit = link.ended.then((error) => {
    const status = Buffer.concat(verdict);
    const isCut = error !== undefined && status.length === 0;
    outputs.endAll(isCut ? error : undefined);
    stdin.destroy();
    if (isCut) throw error;
    return exitCode(status);
  });
  // Who does not ask how it ended must not be ended by it.
  exit.catch(() => {});
  return {
    protocol: link.protocol,
    stdin,
    canEndInput: link.protocol === V5,
    stdout: outputs.stdout.stream,
    stderr: outputs.stderr.stream,
    resize: ({ columns, rows }) =>
      link.send(channelMessage(RESIZE, JSON.stringify({ Width: columns, Height: rows }))),
    exit,
    [Symbol.dispose]: link.close,
  };
}

/** The code that a Status on the error channel stands for. Nothing said is nothing wrong, as in client-go. */
export function exitCode(bytes: Buffer): number {
  if (bytes.length === 0) return 0;
  const status = decodeJson(bytes);
  if (!isJsonObject(status)) throw new TypeError('Cannot read how the process ended');
  if (status['status'] === 'Success') return 0;
  if (status['reason'] === 'NonZeroExitCode') {
    const code = causesOf(status).find(({ reason }) => reason === 'ExitCode')?.['message'];
    if (typeof code === 'string' && /^\d{1,3}$/.test(code)) return Number(code);
  }
  throw statusError(status);
}

function causesOf({ details }: Json): Json[] {
  const causes = isJsonObject(details) ? details['causes'] : undefined;
  return Array.isArray(causes) ? causes.filter(isJsonObject) : [];
}

function channelMessage(channel: number, data: Uint8Array | string): Buffer {
  return Buffer.concat([Buffer.of(channel), Buffer.from(data as Uint8Array)]);
}

function inputOf(link: WebSocketLink): Writable {
  const sendAll = async (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; start += MAX_SEND_BYTES) {
      await link.send(channelMessage(STDIN, chunk.subarray(start, start + MAX_SEND_BYTES)));
    }
  };
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => callbackify(sendAll)(chunk, done),
    final: (done) => {
      if (link.protocol === V5) callbackify(link.send)(Buffer.of(CLOSE, STDIN), done);
      else done();
    },
  });
  // A process may end without reading its input; `exit` tells of everything worse.
  stdin.on('error', () => {});
  return stdin;
}

interface Output {
  readonly stream: Readable;
  readonly take: (data: Buffer) => void;
}

/** Both outputs share a connection: it is read only while neither is full. */
function linkedOutputs(link: WebSocketLink) {
  const full = new Set<Readable>();
  const isRead = (stream: Readable) => {
    full.delete(stream);
    if (full.size === 0) link.resume();
  };
  const output = (): Output => {
    const stream: Readable = new Readable({
      read: () => isRead(stream),
      destroy: (error, done) => {
        isRead(stream);
        done(error);
      },
    });
    // Told through `exit`; whoever reads the stream sees it there, too.
    stream.on('error', () => {});
    const take = (data: Buffer) => {
      if (data.length === 0 || stream.destroyed || stream.readableEnded) return;
      if (stream.push(data)) return;
      full.add(stream);
      link.pause();
    };
    return { stream, take };
  };
  const stdout = output();
  const stderr = output();
  const end = (stream: Readable) => {
    if (!stream.destroyed) stream.push(null);
  };
  return {
    stdout,
    stderr,
    end: (channel: number | undefined) => {
      if (channel === STDOUT) end(stdout.stream);
      if (channel === STDERR) end(stderr.stream);
    },
    endAll: (error?: Error) => {
      for (const { stream } of [stdout, stderr]) {
        if (error === undefined) end(stream);
        else stream.destroy(error);
      }
    },
  };
}
