/** What stands where a secret was. */
export const REDACTED = '[redacted]';

/** Text that is kept from messages and logs: however it is printed, it does not show. */
export class SecretValue {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself, for whoever has to present it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  /** What `util.inspect` and with it most loggers print. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}

/** Messages are for people; no one reads more, and the patterns need a bound. */
const LONGEST_MESSAGE = 4096;

/** Shorter values are found in ordinary words, and would make a message unreadable without hiding much. */
const SHORTEST_CONCEALED = 6;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // PEM blocks; a certificate is no secret, but nothing that a message should carry either.
  [
    /-----BEGIN ([A-Z0-9 ]{1,40})-----(?! \[redacted\])[^-]*(?:-----END [A-Z0-9 ]{1,40}-----)?/g,
    `-----BEGIN $1----- ${REDACTED}`,
  ],
  // The same in base64, as kubeconfigs and Secrets have it: PEM begins with `LS0t`, a kubeconfig with `apiVersion:`.
  [/\b(?:LS0tLS1CRUdJTi|YXBpVmVyc2lvbjo)[\w+/=-]*/g, REDACTED],
  [/\b(Bearer|Basic|Negotiate|Token)(\s+)[\w.~+/=-]{6,}/gi, `$1$2${REDACTED}`],
  // JSON Web Tokens: three base64url parts of which the first begins with `{"`.
  [/\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?/g, REDACTED],
  // User information and query strings of URLs.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]{1,500}@/gi, `$1${REDACTED}@`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s?"'<>]{1,2000})\?[^\s"'<>#]+/gi, `$1?${REDACTED}`],
  // Members of kubeconfigs and the like, in YAML, JSON or as assignments.
  [
    /\b((?:id-|refresh-|access[-_]|client[-_])?token|password|passwd|secret|client-(?:key|certificate)-data|client[-_]secret|api[-_]?key)(["']?\s*[:=]\s*["']?)(?!\[redacted\])[^\s"',;}&]{4,}/gi,
    `$1$2${REDACTED}`,
  ],
];

/**
 * Takes out of a message what looks like a credential, and every value in `concealed`. The patterns are the second line
 * of defence; the first is to wrap credentials in {@link SecretValue} and to build messages without them.
 */
export function redact(message: string, concealed: Iterable<SecretValue | string> = []): string {
  let text = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  for (const hidden of concealed) {
    const value = typeof hidden === 'string' ? hidden : hidden.reveal();
    if (value.length >= SHORTEST_CONCEALED) text = text.replaceAll(value, REDACTED);
  }
  for (const [pattern, replacement] of PATTERNS) text = text.replace(pattern, replacement);
  return text;
}
