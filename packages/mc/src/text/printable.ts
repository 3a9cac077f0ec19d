/**
 * Text of servers and profiles, made fit for terminals: what could move the cursor, change colours or turn the reading
 * direction is shown instead of obeyed.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const UNSAFE_IN_CELL = /[\0-\x08\n-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CELL_CONTROLS = /[\0-\x08\n-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const LINE_CONTROLS = /[\0-\x1f\x7f-\x9f]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const UNSAFE_IN_LINE = /[\0-\x1f\x7f-\x9f]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u;
/** Nearly all cells; simpler than the others, and so faster to look for. */
const PLAIN = /^[ -~]*$/;
const CELL_END = /[\f\n\r]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this one is let pass.
const COLOUR = /(\u001b\[[0-9;:]*m)/;

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * One cell of a table, as kubectl shows it: cut at the first line break with `...`, ESC as `^[`. Other control
 * characters, of which kubectl lets some pass, are shown, too. Tabs stay: kubectl lets them end a cell.
 */
export function printableCell(text: string): string {
  if (PLAIN.test(text) || !UNSAFE_IN_CELL.test(text)) return text;
  const end = text.search(CELL_END);
  const kept = end < 0 ? text : text.slice(0, end);
  return kept.replace(CELL_CONTROLS, shown) + (end < 0 ? '' : '...');
}

/** One line of a message: line breaks, controls and what nobody sees (zero-width, bidirectional) are spelt out. */
export function printableLine(text: string): string {
  return UNSAFE_IN_LINE.test(text) ? text.replace(LINE_CONTROLS, shown) : text;
}

/** Text of several lines, of which each is made fit; line breaks and tabs stay. */
export function printableText(text: string): string {
  if (!UNSAFE_IN_LINE.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(LINE_CONTROLS, (char) => (char === '\n' || char === '\t' ? char : shown(char)));
}

/** A line of a log, whose colours pass and end with it; whatever else could steer a terminal is shown. */
export function printableLogLine(text: string): string {
  if (!UNSAFE_IN_CELL.test(text)) return text;
  const kept = text
    .replace(/\r$/, '')
    .split(COLOUR)
    // Every other part is a colour.
    .map((part, index) => (index % 2 === 1 ? part : part.replace(CELL_CONTROLS, shown)))
    .join('');
  return COLOUR.test(kept) ? `${kept}\u001b[0m` : kept;
}

/** `^[` for ESC as terminals echo it, `\u202e` for what has no key, U+FFFD for half a character. */
function shown(char: string): string {
  const short = SHORT[char];
  if (short !== undefined) return short;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  const hex = code.toString(16).padStart(4, '0');
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex}`;
}
