/** What this process remembers of a registration between passes. Losing it costs a look more, never a wrong write. */
export interface Remembered {
  /** When the cluster Secret was put right after others changed it. */
  corrections: number[];
  /** Set while others and we would only take turns. */
  driftLoop: { readonly generation: number; version: string; since: number } | undefined;
  /** A credential that the member refused, and when: not to be tried again with every event. */
  refused:
    | {
        readonly revision: string;
        readonly at: number;
        /** What CredentialValid says of it: the status that said so may not have been written. */
        readonly claim:
          | { readonly reason: 'Unauthorized' | 'Anonymous' | 'Expired'; readonly message: string }
          | undefined;
      }
    | undefined;
  /** What was said once and need not be said with every pass. */
  readonly said: Set<string>;
}

/** The memories of all registrations, by uid. */
export interface Memory {
  readonly of: (uid: string) => Remembered;
  readonly forget: (uid: string) => void;
}

/** Begins with nothing. */
export function createMemory(): Memory {
  const all = new Map<string, Remembered>();
  return {
    of: (uid) => {
      const known = all.get(uid);
      if (known !== undefined) return known;
      const made: Remembered = {
        corrections: [],
        driftLoop: undefined,
        refused: undefined,
        said: new Set(),
      };
      all.set(uid, made);
      return made;
    },
    forget: (uid) => void all.delete(uid),
  };
}
