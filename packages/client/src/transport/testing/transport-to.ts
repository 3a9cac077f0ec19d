import { systemClock } from '@flotilla/machinery';
import type { Access, Credential } from '../../access.ts';
import type { Transport } from '../../transport.ts';
import { createTransport, type TransportOptions } from '../create-transport.ts';

/** A transport to a server of a test, with only what the test cares for. */
export function transportTo(
  server: string,
  options: Partial<Access> & { options?: Partial<TransportOptions> } = {},
): Transport {
  const { options: others, ...access } = options;
  return createTransport({
    access: { server, tls: {}, namespace: 'default', credential: anonymous, ...access },
    clock: systemClock,
    random: () => 0,
    ...others,
  });
}

/** Presents nothing, ever. */
export const anonymous: Credential = {
  present: () => Promise.resolve({}),
  refused: () => Promise.resolve(false),
};

/** The whole of a stream, as text. */
export async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
