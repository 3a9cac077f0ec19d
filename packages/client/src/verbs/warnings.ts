/** Something the server wants its users to know, beside its answer. */
export interface ServerWarning {
  /** 299 for all that Kubernetes itself says. */
  readonly code: number;
  readonly agent: string;
  readonly text: string;
}

/** How many texts are remembered, so that a server which never says the same cannot fill the memory. */
const MAX_REMEMBERED = 1_000;

/** Hands each warning on once, however often the server repeats it. */
export function warningReporter(
  report: ((warning: ServerWarning) => void) | undefined,
): (headers: readonly string[]) => void {
  if (report === undefined) return () => {};
  const seen = new Set<string>();
  return (headers) => {
    for (const warning of headers.flatMap(parseWarnings)) {
      if (warning.text === '' || seen.has(warning.text)) continue;
      if (seen.size === MAX_REMEMBERED) seen.clear();
      seen.add(warning.text);
      report(warning);
    }
  };
}

/** `code agent "text"`, perhaps with a date, perhaps several after commas. */
const WARNING = /^\s*(\d{3}) ([^\s"]+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/;

/** The warnings of one header; what is not one ends it. */
export function parseWarnings(header: string): ServerWarning[] {
  const warnings: ServerWarning[] = [];
  let rest = header;
  for (;;) {
    const found = WARNING.exec(rest);
    if (found === null) return warnings;
    const [whole, code = '', agent = '', quoted = ''] = found;
    const text = quoted.replace(/\\(.)/g, '$1');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is shown in terminals must not steer them
    if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return warnings;
    warnings.push({ code: Number(code), agent, text });
    rest = rest.slice(whole.length);
  }
}
