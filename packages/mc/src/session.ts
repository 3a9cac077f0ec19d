import type { Kubeconfig } from '@flotilla/client';
import type { FanOutOptions, Fleet } from './fan-out/fleet.ts';
import type { Member } from './fan-out/member.ts';
import type { Outcome } from './fan-out/outcome.ts';
import type { FleetCluster } from './fleet/cluster.ts';
import type { Io } from './io.ts';
import type { Settings } from './settings/settings.ts';

/** What a verb works with. Everything is made when it is first asked for. */
export interface Session {
  readonly io: Io;
  readonly settings: Settings;
  readonly paths: Paths;
  /** Says something on stderr from verbosity `level` on, made safe for terminals. */
  readonly note: (level: number, text: string) => void;
  /** A `Warning: …` on stderr, once per text. */
  readonly warn: (text: string) => void;
  /** The user's kubeconfig, merged as kubectl does. */
  readonly kubeconfig: () => Promise<Kubeconfig>;
  /** Every cluster there is, before selection. */
  readonly inventory: () => Promise<readonly FleetCluster[]>;
  /** Names of the clusters that were chosen, as `fleet` would; ways to them are not looked for. */
  readonly chosenNames: (named?: readonly string[]) => Promise<string[]>;
  /**
   * The clusters that were chosen, with their routes. `named` narrows it to clusters that arguments name
   * (`c1:pod/x`). Throws UsageError when nothing is left.
   */
  readonly fleet: (named?: readonly string[], options?: FleetOptions) => Promise<Fleet>;
  /** Asks the clusters of a fleet, a few at a time; never throws for what one of them does. */
  readonly fanOut: <T>(
    fleet: Fleet,
    ask: (member: Member) => Promise<T>,
    options?: FanOutOptions<T>,
  ) => Promise<Outcome<T>[]>;
  /** Writes the summary of failures to stderr and tells the exit code they make. */
  readonly conclude: (outcomes: readonly Outcome<unknown>[]) => number;
}

/** What a fleet is for. */
export interface FleetOptions {
  /** True asks the hub in any case and takes nothing from the cache: what is old must not be changed. @default false */
  readonly forWrites?: boolean | undefined;
}

/** Where files of ours lie; below `~/.kube` unless the environment says otherwise. */
export interface Paths {
  readonly config: string;
  readonly mapping: string;
  readonly trust: string;
  readonly audit: string;
  readonly cache: string;
}
