/**
 * Moves each run of changed lines as far down as lines that are the same allow, joining runs on the way, and then back
 * to where the other text changes, too, so that what replaces what stays together.
 */
export function slideChanges(lines: Int32Array, changed: Uint8Array, others: Uint8Array): void {
  const isChanged = (index: number) => changed[index] === 1;
  const isOther = (index: number) => others[index] === 1;
  const end = lines.length;
  let start = 0;
  // Where in the other text the line after the run is.
  let other = 0;
  for (;;) {
    while (start < end && !isChanged(start)) {
      while (isOther(other)) other += 1;
      other += 1;
      start += 1;
    }
    if (start >= end) return;
    let stop = start;
    while (isChanged(stop)) stop += 1;
    while (isOther(other)) other += 1;
    let matching: number | undefined;
    let length: number;
    do {
      length = stop - start;
      while (start > 0 && lines[start - 1] === lines[stop - 1]) {
        start -= 1;
        stop -= 1;
        changed[start] = 1;
        changed[stop] = 0;
        while (isChanged(start - 1)) start -= 1;
        do other -= 1;
        while (isOther(other));
      }
      matching = isOther(other - 1) ? stop : undefined;
      while (stop < end && lines[start] === lines[stop]) {
        changed[start] = 0;
        changed[stop] = 1;
        start += 1;
        stop += 1;
        while (isChanged(stop)) stop += 1;
        other += 1;
        while (isOther(other)) {
          matching = stop;
          other += 1;
        }
      }
    } while (stop - start !== length);
    while (matching !== undefined && matching < stop) {
      start -= 1;
      stop -= 1;
      changed[start] = 1;
      changed[stop] = 0;
      do other -= 1;
      while (isOther(other));
    }
    start = stop;
  }
}
