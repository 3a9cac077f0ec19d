import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A command and a file that know whether somebody touched them. */
export interface Traps extends Disposable {
  /** A program that leaves a trace when it runs. */
  readonly command: string;
  readonly hasRun: () => boolean;
  /** A pipe: whoever opens it to read waits for a writer, and can be seen waiting. */
  readonly pipe: string;
  readonly isRead: () => boolean;
}

/** Sets them. */
export function setTraps(): Traps {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-traps-'));
  const command = join(folder, 'tool');
  writeFileSync(command, '#!/bin/sh\ntouch "$0.ran"\n', { mode: 0o755 });
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return {
    command,
    hasRun: () => existsSync(`${command}.ran`),
    pipe,
    isRead: () => {
      try {
        closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
        return false;
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A port where nobody should call. */
export interface Listener extends AsyncDisposable {
  readonly port: number;
  readonly calls: () => number;
}

/** Opens one. */
export async function listen(): Promise<Listener> {
  let calls = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    calls++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => calls,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
