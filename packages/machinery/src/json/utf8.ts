const encoder = new TextEncoder();
const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes of a text; halves of surrogate pairs become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Text of valid UTF-8, a byte order mark kept; undefined when it is not valid. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return fatal.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Text of any bytes as Go ranges over them: each byte that is not part of a valid character becomes one U+FFFD. The
 * platform's decoder would make one of a whole truncated sequence.
 */
export function decodeUtf8Lossy(bytes: Uint8Array): string {
  const valid = decodeUtf8(bytes);
  if (valid !== undefined) return valid;
  let text = '';
  let i = 0;
  while (i < bytes.length) {
    const size = characterSize(bytes, i);
    text += size === 0 ? '\ufffd' : (decodeUtf8(bytes.subarray(i, i + size)) ?? '\ufffd');
    i += Math.max(size, 1);
  }
  return text;
}

/** Size of the valid character at a position, 0 when there is none. */
function characterSize(bytes: Uint8Array, start: number): number {
  const first = bytes[start] ?? 0;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || start + size > bytes.length) return 0;
  return decodeUtf8(bytes.subarray(start, start + size)) === undefined ? 0 : size;
}
