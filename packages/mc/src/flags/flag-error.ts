import { UsageError } from '../usage-error.ts';

/** The command line cannot be read; the texts are those that kubectl's users know. */
export class FlagError extends UsageError {}
