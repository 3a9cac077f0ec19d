/** kubectl's own flags that take a value, which may be the next word. */
const TAKE_VALUES: ReadonlySet<string> = new Set([
  '--as',
  '--as-group',
  '--as-uid',
  '--as-user-extra',
  '--cache-dir',
  '--certificate-authority',
  '--client-certificate',
  '--client-key',
  '--kuberc',
  '--log-flush-frequency',
  '--namespace',
  '--password',
  '--profile',
  '--profile-output',
  '--proxy-url',
  '--request-timeout',
  '--tls-server-name',
  '--token',
  '--user',
  '--username',
  '--v',
  '--vmodule',
  '-n',
  '-v',
]);

/** Those that take none. */
const STAND_ALONE: ReadonlySet<string> = new Set([
  '--disable-compression',
  '--help',
  '--insecure-skip-tls-verify',
  '--match-server-version',
  '--warnings-as-errors',
  '-h',
]);

/** Commands whose second word says what they do. */
const WITH_SECOND_WORD: ReadonlySet<string> = new Set(['auth', 'config', 'plugin', 'rollout']);

/** Short flags that take no value, whatever the command is; `-f` and `-p` do where it is not about logs. */
const STAND_ALONE_LETTERS = 'AhiqRtw';

/** The words that kubectl itself reads; behind `--` they are for others. */
export function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** What kubectl is asked to do: `get`, `rollout status`. Undefined when flags stand before it that we do not know. */
export function commandOf(words: readonly string[]): string | undefined {
  const own = ownWords(words);
  const first = nextPlain(own, 0);
  const name = first === undefined ? undefined : own[first];
  if (first === undefined || name === undefined || !WITH_SECOND_WORD.has(name)) return name;
  const second = nextPlain(own, first + 1);
  return second === undefined ? undefined : `${name} ${own[second]}`;
}

/** Where the next word is that is neither a flag nor the value of one. */
function nextPlain(words: readonly string[], from: number): number | undefined {
  for (let at = from; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) return at;
    if (word.includes('=') || STAND_ALONE.has(word)) continue;
    if (!TAKE_VALUES.has(word)) return undefined;
    at += 1;
  }
  return undefined;
}

/** Flags as they are written, without their values: `--context`, and `-s` of `-As`. */
export function flagsIn(words: readonly string[]): string[] {
  const alone = STAND_ALONE_LETTERS + (commandOf(words) === 'logs' ? 'fp' : '');
  return ownWords(words).flatMap((word) => {
    if (word.startsWith('--')) return [word.replace(/=.*/s, '')];
    if (!word.startsWith('-') || word === '-') return [];
    const flags: string[] = [];
    for (const letter of word.slice(1)) {
      flags.push(`-${letter}`);
      if (!alone.includes(letter)) break;
    }
    return flags;
  });
}

/** Whether files are named among which is standard input: `-f -`, `-f=-`, `-f-`, `--filename=a,-`. */
export function readsStdin(words: readonly string[]): boolean {
  const own = ownWords(words);
  return own.some((word, at) => {
    const [, joined] = /^(?:--filename=|-f=?)(.+)$/s.exec(word) ?? [];
    const isBare = word === '-f' || word === '--filename';
    const paths = isBare ? own[at + 1] : joined;
    return paths?.split(',').includes('-') === true;
  });
}
