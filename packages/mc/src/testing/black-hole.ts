import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { accessTo, type RawMember } from './raw-member.ts';

/** Listens with the shortest queue there is and then stands still, so that nothing is ever taken from the queue. */
const LISTENER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  setImmediate(() => {
    Atomics.wait(new Int32Array(workerData), 0, 0);
    server.close();
  });
});
server.on('connection', (socket) => socket.destroy());
`;

/** What the kernel of Linux keeps for a queue of one. */
const QUEUE = 2;

/**
 * A member whose port swallows connection attempts, as behind a firewall that drops them: a listener whose queue is
 * full and stays so, for which the kernel answers no SYN.
 */
export async function startBlackHole(): Promise<RawMember> {
  const gate = new SharedArrayBuffer(4);
  const worker = new Worker(LISTENER, { eval: true, workerData: gate });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const fillers: Socket[] = [];
  for (let count = 0; count < QUEUE; count += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    fillers.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  const url = `https://127.0.0.1:${port}`;
  return {
    url,
    access: accessTo(url),
    requests: [],
    authorizations: [],
    openConnections: () => 0,
    [Symbol.asyncDispose]: async () => {
      for (const socket of fillers) socket.destroy();
      Atomics.store(new Int32Array(gate), 0, 1);
      Atomics.notify(new Int32Array(gate), 0);
      await worker.terminate();
    },
  };
}
