/** Bits in the order zstd wants them: each value's lowest bit first, to be read from the end backwards. */
export interface BitWriter {
  /** The lowest `bits` of a value, 32 at most. */
  readonly add: (value: number, bits: number) => void;
  /** The bytes, after the one bit that tells readers where the stream ends. */
  readonly finish: () => Uint8Array;
}

/** A writer that grows with what it is given. */
export function bitWriter(): BitWriter {
  let bytes = new Uint8Array(1024);
  let length = 0;
  let pending = 0;
  let pendingBits = 0;
  const put = (byte: number) => {
    if (length === bytes.length) {
      const larger = new Uint8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    bytes[length] = byte;
    length += 1;
  };
  const addFew = (value: number, bits: number) => {
    pending |= (value & ((1 << bits) - 1)) << pendingBits;
    pendingBits += bits;
    for (; pendingBits >= 8; pendingBits -= 8) {
      put(pending & 0xff);
      pending >>>= 8;
    }
  };
  return {
    add: (value, bits) => {
      // With up to 7 bits waiting, 16 more always fit into what the operators of the language keep.
      addFew(value, Math.min(bits, 16));
      if (bits > 16) addFew(value >>> 16, bits - 16);
    },
    finish: () => {
      addFew(1, 1);
      if (pendingBits > 0) put(pending & 0xff);
      return bytes.subarray(0, length);
    },
  };
}
