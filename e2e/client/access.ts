import type { Access } from '@flotilla/client';
import type { Side } from '../sides.ts';

/** A side as its admin reaches it. */
export function accessOf({ url, ca, token }: Side): Access {
  const presented = { authorization: `Bearer ${token}` };
  return {
    server: url,
    tls: { ca },
    credential: { present: async () => presented, refused: async () => false },
    namespace: 'default',
  };
}
