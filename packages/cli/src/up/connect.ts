import type { AdminAccess } from '@flotilla/apiserver';
import { type Client, createClient, createTransport, staticCredential } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';

/** A client of a server in this process, as its administrator. */
export function connectAdmin({ server, ca, token }: AdminAccess, random: () => number): Client {
  const access = {
    server,
    tls: { ca },
    credential: staticCredential({ authorization: `Bearer ${token}` }),
    namespace: 'default',
  };
  // Without the environment: its proxies are for other machines.
  return createClient(createTransport({ access, clock: systemClock, random }));
}
