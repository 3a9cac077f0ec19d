import type { Client, ServerWarning } from '@flotilla/client';

/** Where cases take place. */
export interface CasesPlace {
  /** There once the first test runs. */
  readonly client: () => Client;
  /** What the server warned of so far. */
  readonly warnings: ServerWarning[];
  /** A namespace of its own for each test. */
  readonly freshNamespace: () => Promise<string>;
  /** One with ConfigMaps `m0`, `m1` and so on. */
  readonly freshMaps: (count: number) => Promise<string>;
}
