import { type Client, createClient, createTransport } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import type { Target } from './api-server/target.ts';

/** Our client of a server under test. */
export function connectTo({ host, port, ca, token }: Target): Client {
  const presented = { authorization: `Bearer ${token}` };
  const access = {
    server: `https://${host}:${port}`,
    tls: { ca },
    credential: { present: async () => presented, refused: async () => false },
    namespace: 'default',
  };
  return createClient(createTransport({ access, clock, random: Math.random }));
}
