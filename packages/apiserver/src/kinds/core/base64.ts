/** How many bytes a base64 text stands for, without decoding it. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.floor((text.length * 3) / 4) - padding;
}

/** The bytes a base64 text stands for; none for an absent one. */
export function base64Bytes(text: string | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}
