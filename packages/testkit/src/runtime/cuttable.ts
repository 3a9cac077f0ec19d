import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Access } from '@flotilla/client';

/** A wire to a server that can be cut: then bytes go nowhere, and nobody is told. */
export interface Cuttable extends AsyncDisposable {
  readonly access: Access;
  readonly cut: () => void;
  /** New connections work again; those that were cut stay so. */
  readonly mend: () => void;
}

/** Lays a wire to a server. */
export async function cuttable(target: Access): Promise<Cuttable> {
  const { hostname, port } = new URL(target.server);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return;
    const far = keep(connect({ host: hostname, port: Number(port) }));
    near.pipe(far);
    far.pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    access: { ...target, server: `https://127.0.0.1:${ownPort}` },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      isCut = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
