import type { Colours } from '../../text/colour.ts';
import type { SortPath } from '../sort/sort-key.ts';

/** How tables are shown. */
export interface TableOptions {
  readonly isWide: boolean;
  readonly hasHeaders: boolean;
  /** Headers also above no rows at all, as custom columns have them. @default false */
  readonly isHeaderKept?: boolean | undefined;
  readonly clusterColumn: 'first' | 'after-name' | 'none';
  /** Shows kinds also where there is only one. */
  readonly showKind: boolean;
  readonly sortPath?: SortPath | undefined;
  readonly colours: Colours;
}

/** Takes text for stdout; resolves when more can be taken. */
export type Write = (text: string) => Promise<void>;
