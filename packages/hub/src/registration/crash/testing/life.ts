import type { Access } from '@flotilla/client';
import type { WriteGate } from './write-gate.ts';

/** One process that runs the controllers, from its start to its end, whatever that end is. */
export interface Life {
  /** Ends as it is told to: what runs is finished, what is to be told is told. */
  readonly end: () => Promise<void>;
  /** Ends here and now. */
  readonly kill: () => void;
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
}

/** Starts a process against a hub, all of whose requests go through the gate. */
export type StartLife = (hub: { readonly access: Access; readonly gate: WriteGate }) => Life;
