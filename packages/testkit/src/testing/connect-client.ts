import {
  type Access,
  type Client,
  createClient,
  createTransport,
  type TransportLimits,
} from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';

/** A client of a test. */
export function connectClient(access: Access, limits: Partial<TransportLimits> = {}): Client {
  return createClient(createTransport({ access, clock: systemClock, random: () => 0.5, limits }));
}
