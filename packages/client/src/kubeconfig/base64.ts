const ALPHABET = /^[A-Za-z0-9+/]$/;
/** What needs no look at each byte: a kubeconfig of a thousand clusters is megabytes of it. */
const PLAIN = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes as Go's strict standard decoder does (line ends are skipped); a number is the place of the first wrong byte. */
export function decodeBase64(text: string): Buffer | number {
  if (text.length % 4 === 0 && PLAIN.test(text)) return Buffer.from(text, 'base64');
  const wrong = firstWrongByte(text);
  return wrong ?? Buffer.from(text, 'base64');
}

function firstWrongByte(text: string): number | undefined {
  const bytes = Buffer.from(text, 'latin1');
  let inGroup = 0;
  let groupStart = 0;
  for (let at = 0; at < bytes.length; at++) {
    const char = text[at] ?? '';
    if (char === '\n' || char === '\r') continue;
    if (char === '=') return wrongPadding(text, at, inGroup);
    if (!ALPHABET.test(char)) return at;
    if (inGroup === 0) groupStart = at;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 0 ? undefined : groupStart;
}

/** Padding ends the text: one `=` after three characters, two after two. */
function wrongPadding(text: string, at: number, inGroup: number): number | undefined {
  if (inGroup < 2) return at;
  const rest = text.slice(at).replace(/[\r\n]/g, '');
  const wanted = '='.repeat(4 - inGroup);
  if (rest === wanted) return undefined;
  if (!rest.startsWith(wanted)) return text.length;
  // Something stands after the padding.
  let left = wanted.length;
  for (let i = at; i < text.length; i++) {
    const char = text[i];
    if (char === '\n' || char === '\r') continue;
    if (left === 0) return i;
    left--;
  }
  return text.length;
}
