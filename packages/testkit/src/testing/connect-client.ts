import {
  type Access,
  type AskDirectly,
  type Client,
  createClient,
  createDirectTransport,
  createTransport,
  type Transport,
  type TransportLimits,
} from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';

/** A client of a test. */
export function connectClient(access: Access, limits: Partial<TransportLimits> = {}): Client {
  return createClient(createTransport({ access, clock: systemClock, random: () => 0.5, limits }));
}

const [clock, random] = [systemClock, () => 0.5];

/** The way to a server over its socket. */
export function transportTo({ access }: { readonly access: Access }): Transport {
  return createTransport({ access, clock, random });
}

/** The way to a server in this process. */
export function directTransportTo({
  access: { credential },
  ask,
}: {
  readonly access: Pick<Access, 'credential'>;
  readonly ask?: AskDirectly;
}): Transport {
  if (ask === undefined) throw new Error('Cannot ask this server directly: it is elsewhere');
  return createDirectTransport({ ask, credential, clock, random });
}
