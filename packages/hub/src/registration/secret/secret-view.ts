import type { Informer, Secret } from '@flotilla/client';
import { OWNER_UID_ANNOTATION } from '../../cluster-secret/names.ts';

/** The cluster Secrets of the hub as the watch has them, never behind what we wrote ourselves. */
export interface SecretView {
  readonly cached: (name: string) => Secret | undefined;
  readonly markedBy: (uid: string) => readonly Secret[];
  /** Remembers the server's answer to a write. */
  readonly wrote: (secret: Secret) => void;
  /** Whether the watch only brings back what we wrote: nobody has to look at that. */
  readonly isOwnWrite: (secret: Secret) => boolean;
}

const BY_OWNER = 'owner-uid';

const ownersOf = ({ metadata }: Secret): string[] => {
  const uid = metadata.annotations?.[OWNER_UID_ANNOTATION];
  return uid === undefined ? [] : [uid];
};

/** Looks at the gateway namespace through a watch that others have too. */
export function createSecretView(informer: Informer<Secret>, namespace: string): SecretView {
  const pending = new Map<string, Secret>();
  const versions = new Map<string, string>();
  informer.addIndex(BY_OWNER, ownersOf);
  const caughtUp = (secret: Secret) => {
    const { name = '' } = secret.metadata;
    const written = pending.get(name);
    if (written !== undefined && !isNewer(written, secret)) pending.delete(name);
  };
  informer.subscribe({
    added: caughtUp,
    updated: caughtUp,
    deleted: ({ metadata }) => {
      const { name = '', uid } = metadata;
      if (pending.get(name)?.metadata.uid === uid) pending.delete(name);
      versions.delete(name);
    },
  });
  return {
    cached: (name) => {
      const seen = informer.get({ namespace, name });
      const written = pending.get(name);
      if (written === undefined) return seen;
      return seen === undefined || isNewer(written, seen) ? written : seen;
    },
    markedBy: (uid) => informer.byIndex(BY_OWNER, uid),
    wrote: (secret) => {
      const { name = '', resourceVersion = '' } = secret.metadata;
      versions.set(name, resourceVersion);
      const seen = informer.get({ namespace, name });
      if (seen === undefined || isNewer(secret, seen)) pending.set(name, secret);
    },
    isOwnWrite: ({ metadata }) =>
      metadata.resourceVersion !== undefined &&
      versions.get(metadata.name ?? '') === metadata.resourceVersion,
  };
}

/** Of versions that are no numbers nobody can tell; then what was written counts until the watch moves. */
function isNewer(some: Secret, other: Secret): boolean {
  const [a, b] = [some, other].map(({ metadata }) => metadata.resourceVersion ?? '');
  if (a === undefined || b === undefined || a === b) return false;
  const isNumber = /^\d+$/;
  return isNumber.test(a) && isNumber.test(b) ? BigInt(a) > BigInt(b) : false;
}
