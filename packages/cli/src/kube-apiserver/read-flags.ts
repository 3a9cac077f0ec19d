import { BARE, FLAGS, type FlagName, HARMLESS } from './flag-table.ts';

/** A command line taken apart. */
export interface GivenFlags {
  /** Every value of a flag, in the order given; commas are not split yet. */
  readonly values: ReadonlyMap<FlagName, readonly string[]>;
  /** Flags we do not know or cannot do anything about, each once. */
  readonly ignored: readonly string[];
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
  readonly problems: readonly string[];
}

/** Reads flags the way kube-apiserver does: `--flag=value` and `--flag value`, with one dash for `-v` and `-h`. */
export function readFlags(argv: readonly string[]): GivenFlags {
  const values = new Map<FlagName, string[]>();
  const ignored = new Set<string>();
  const problems: string[] = [];
  let wantsHelp = false;
  let wantsVersion = false;
  for (let at = 0; at < argv.length; at += 1) {
    const [, name, given] = /^--?([A-Za-z][\w.-]*)(?:=([\s\S]*))?$/.exec(argv[at] ?? '') ?? [];
    if (name === undefined) {
      problems.push(`Cannot use argument "${argv[at] ?? ''}": there are only flags`);
      continue;
    }
    let value = given;
    const takesNext = value === undefined && !isBare(name);
    const next = argv[at + 1];
    // Of a flag we do not know, what does not look like a flag itself is taken for its value.
    if (takesNext && next !== undefined && (isKnown(name) || !next.startsWith('-'))) {
      value = next;
      at += 1;
    }
    if (name === 'help' || name === 'h') wantsHelp = true;
    else if (name === 'version') wantsVersion = value !== 'false';
    else if (isKnown(name)) {
      if (value === undefined && takesNext) problems.push(`Cannot use --${name}: it needs a value`);
      values.set(name, [...(values.get(name) ?? []), value ?? 'true']);
    } else if (!HARMLESS.has(name)) ignored.add(name);
  }
  return { values, ignored: [...ignored], wantsHelp, wantsVersion, problems };
}

function isKnown(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function isBare(name: string): boolean {
  if (['help', 'h', 'version'].includes(name) || BARE.has(name)) return true;
  return isKnown(name) && FLAGS[name].kind === 'boolean';
}
