/** Upstream's numbers, in characters: beyond the first, all are cut to the second. */
const ALL_TOGETHER = 4 * 1024;
const EACH = 256;

/** The Warning headers for some texts: each once, and no more than clients can take. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter(isSendable);
  const whole = texts.map((text) => [...text].length);
  if (whole.reduce((sum, length) => sum + length, 0) <= ALL_TOGETHER) return texts.map(header);

  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= ALL_TOGETHER) break;
    const kept = [...text].slice(0, EACH);
    written += kept.length;
    headers.push(header(kept.join('')));
  }
  return headers;
}

/** Upstream drops a text with a control character in it, or with half of a surrogate pair. */
function isSendable(text: string): boolean {
  return text !== '' && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** Text in UTF-8, as Go sends it: node writes one byte for each character of a header. */
function header(text: string): string {
  const quoted = text.replace(/["\\]/g, '\\$&');
  return `299 - "${Buffer.from(quoted).toString('latin1')}"`;
}
