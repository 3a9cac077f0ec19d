import { chmod } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Credential, Presented } from '@flotilla/client';
import { getOwn, isJsonObject } from '@flotilla/machinery';
import { AccessError } from '../access-error.ts';
import { type ExecStatus, execStatus } from './exec-answer.ts';

/** Questions are a name and a number; what sends more is nobody of ours. */
const MAX_QUESTION = 16_384;
const MAX_ANSWER = 4 << 20;

/** Who asks for which credential. */
export interface CredentialQuestion {
  readonly cluster: string;
  /** The process that the credential is for: one that asks again has had the first refused. */
  readonly process: number;
}

/**
 * Hands out the credentials of a run to the commands that it starts, over a socket that only its user can open. They
 * are the very ones of this run, so that no helper runs twice and nothing secret touches the disk.
 */
export async function serveCredentials(
  path: string,
  credentialOf: (cluster: string) => Credential | undefined,
): Promise<AsyncDisposable> {
  const ending = new AbortController();
  const sockets = new Set<Socket>();
  const given = new Map<string, Presented>();
  const answer = async ({ cluster, process }: CredentialQuestion): Promise<ExecStatus> => {
    const credential = credentialOf(cluster);
    if (credential === undefined) throw new AccessError(`there is no cluster "${cluster}"`);
    const key = `${process} ${cluster}`;
    const before = given.get(key);
    if (before !== undefined) await credential.refused(before, ending.signal);
    const presented = await credential.present(ending.signal);
    given.set(key, presented);
    return execStatus(presented);
  };
  // Half open: the question ends before the answer is there.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    void readAll(socket, MAX_QUESTION)
      .then((text) => answer(questionOf(text)))
      .then(
        (status) => ({ status }),
        (error: unknown) => ({ error: error instanceof Error ? error.message : 'it failed' }),
      )
      .then((reply) => socket.end(JSON.stringify(reply)));
  });
  await listen(server, path);
  return {
    [Symbol.asyncDispose]: async () => {
      ending.abort(new AccessError('nobody hands out credentials any more'));
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Asks such a socket. Throws AccessError when it has no credential, or is gone. */
export async function askSocket(
  path: string,
  question: CredentialQuestion,
  signal: AbortSignal,
): Promise<ExecStatus> {
  const socket = connect(path);
  const abort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const answering = readAll(socket, MAX_ANSWER);
    socket.end(JSON.stringify(question));
    const reply = parse(await answering);
    const status = getOwn(reply, 'status');
    if (isJsonObject(status)) return status as ExecStatus;
    throw new AccessError(String(getOwn(reply, 'error') ?? 'the answer cannot be read'));
  } catch (error) {
    if (error instanceof AccessError || signal.aborted) throw error;
    throw new AccessError(`the command that this kubeconfig was made for has ended`, {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

function questionOf(text: string): CredentialQuestion {
  const question = parse(text);
  const cluster = getOwn(question, 'cluster');
  const process = getOwn(question, 'process');
  if (typeof cluster !== 'string' || typeof process !== 'number') {
    throw new AccessError('the question cannot be read');
  }
  return { cluster, process };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Neither the text nor what a parser says of it is for anybody's eyes.
  }
  throw new AccessError('the answer cannot be read');
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // The folder is private already; pipes of Windows are no files.
  if (process.platform !== 'win32') await chmod(path, 0o600);
}

async function readAll(socket: Socket, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > most) throw new AccessError('the question is too long');
  }
  return Buffer.concat(chunks).toString();
}
