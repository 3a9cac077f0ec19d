// The operator as a process: `node tools/with-install.mjs e2e/guide/main.ts`.
import { homedir, hostname } from 'node:os';
import { createClient, createTransport, loadKubeconfig, resolveAccess } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import { createLogger, createManager } from '@flotilla/runtime';
import { siteController } from './site-controller.ts';

const { env } = process;
const random = Math.random;
const kubeconfig = await loadKubeconfig({ env, home: homedir() });
const access = await resolveAccess(kubeconfig, { env });
const client = createClient(createTransport({ access, clock, random, env }));
const manager = createManager({
  client,
  controllers: [siteController(client)],
  clock,
  random,
  name: 'guide.flotilla.dev/sites',
  logger: createLogger({ sink: process.stderr, clock }),
  leaderElection: { namespace: 'default', name: 'sites', identity: hostname() },
});

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
await manager.run(stop.signal);
await client[Symbol.asyncDispose]();
