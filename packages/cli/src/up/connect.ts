import type { RunningServer } from '@flotilla/apiserver';
import {
  type Client,
  createClient,
  createDirectTransport,
  staticCredential,
} from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';

/** A client of a server in this process, as its administrator. */
export function connectAdmin(
  { ask, access }: Pick<RunningServer, 'ask' | 'access'>,
  random: () => number,
): Client {
  const credential = staticCredential({ authorization: `Bearer ${access().token}` });
  return createClient(createDirectTransport({ ask, credential, clock: systemClock, random }));
}
