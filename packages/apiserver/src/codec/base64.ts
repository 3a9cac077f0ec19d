const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PAD = 0x3d;

let values: Int8Array | undefined;

function table(): Int8Array {
  if (values === undefined) {
    values = new Int8Array(256).fill(-1);
    for (let i = 0; i < ALPHABET.length; i += 1) values[ALPHABET.charCodeAt(i)] = i;
  }
  return values;
}

/**
 * Decodes standard base64 exactly as Go does: line breaks are skipped, padding is demanded, loose last bits are
 * ignored. Gives the bytes, or the offset that Go would name in its error.
 */
export function decodeBase64(text: string): Buffer | number {
  const source = Buffer.from(text);
  const digits = table();
  const out: number[] = [];
  let at = 0;
  const skipBreaks = () => {
    while (at < source.length && (source[at] === 0x0a || source[at] === 0x0d)) at += 1;
  };
  for (;;) {
    const quad: number[] = [];
    while (quad.length < 4) {
      skipBreaks();
      if (at === source.length) {
        if (quad.length === 0) return Buffer.from(out);
        return at - quad.length;
      }
      const byte = source[at] ?? 0;
      at += 1;
      const value = digits[byte] ?? -1;
      if (value >= 0) {
        quad.push(value);
        continue;
      }
      if (byte !== PAD || quad.length < 2) return at - 1;
      if (quad.length === 2) {
        skipBreaks();
        if (at === source.length) return source.length;
        if (source[at] !== PAD) return at - 1;
        at += 1;
      }
      skipBreaks();
      if (at < source.length) return at;
      pushBytes(out, quad);
      return Buffer.from(out);
    }
    pushBytes(out, quad);
  }
}

function pushBytes(out: number[], [a = 0, b = 0, c, d]: readonly number[]): void {
  out.push((a << 2) | (b >> 4));
  if (c !== undefined) out.push(((b & 15) << 4) | (c >> 2));
  if (c !== undefined && d !== undefined) out.push(((c & 3) << 6) | d);
}
