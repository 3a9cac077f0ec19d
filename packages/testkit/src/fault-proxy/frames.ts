const HEADER_BYTES = 9;
const DATA = 0;
const END_STREAM = 1;

/** Cuts what one side of an HTTP/2 connection sends into whole frames. */
export function frameSplitter(): (bytes: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const frames: Buffer[] = [];
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUIntBE(0, 3);
      if (rest.length < end) break;
      frames.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return frames;
  };
}

/** Whether a frame can come twice without breaking the protocol: a part of a body that is not its end. */
export function isBodyFrame(frame: Buffer): boolean {
  const flags = frame[4] ?? 0;
  return frame[3] === DATA && (flags & END_STREAM) === 0 && frame.length > HEADER_BYTES;
}

/** Whether bytes are whole chunks of an HTTP/1.1 body, and not its last one. */
export function areBodyChunks(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1 || end - at > 8) return false;
    const size = bytes.toString('latin1', at, end);
    if (!/^[0-9a-f]+$/i.test(size)) return false;
    const length = Number.parseInt(size, 16);
    if (length === 0) return false;
    at = end + 2 + length + 2;
  }
  return at === bytes.length && bytes.length > 0;
}

/** Whether bytes are one whole HTTP/1.1 request. */
export function isWholeRequest(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, Math.max(end, 0));
  if (!/^(GET|POST|PUT|PATCH|DELETE) \S+ HTTP\/1\.1\r\n/.test(head)) return false;
  if (/\r\n(transfer-encoding|upgrade):/i.test(head)) return false;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length === end + 4 + length;
}
