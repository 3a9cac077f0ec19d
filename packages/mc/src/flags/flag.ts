/** One flag of a verb, as kubectl's users write it. */
export interface FlagSpec {
  /** Without dashes: `all-namespaces`. */
  readonly name: string;
  /** `A` for `-A`. */
  readonly short?: string | undefined;
  /** Other long names that mean the same. */
  readonly aliases?: readonly string[] | undefined;
  /** `texts` may be repeated and has commas between; `lines` may be repeated, and commas are text. */
  readonly kind: 'bool' | 'text' | 'texts' | 'lines' | 'integer' | 'duration';
  /** Allowed values; anything else is an error that lists them. */
  readonly choices?: readonly string[] | undefined;
  /** What the flag means when it has no value (`-v`, `--dry-run`); such flags take a value only after `=`. */
  readonly bare?: string | undefined;
  /** One line for help. */
  readonly help: string;
  /** For help: `PATH`, `DURATION`. */
  readonly value?: string | undefined;
  readonly isHidden?: boolean | undefined;
}

/** The flags of one call, read by name; asking for a name that no table has is a bug and throws. */
export interface Flags {
  readonly isSet: (name: string) => boolean;
  readonly bool: (name: string) => boolean;
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly integer: (name: string) => number | undefined;
  readonly durationMs: (name: string) => number | undefined;
}
