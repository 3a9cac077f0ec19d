/** The indexes of an Indexed Job, written as `1,3-5`. */
import { goQuote } from '@flotilla/machinery';

interface Interval {
  readonly first: number;
  readonly last: number;
}

/** How many indexes a text names, or what is wrong with it. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    if (previous !== undefined && previous >= interval.first) {
      return `non-increasing order, previous: ${previous}, current: ${interval.first}`;
    }
    total += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return total;
}

/** The first index that two texts share; parts that cannot be read are passed over. */
export function sharedIndex(a: string, b: string, completions: number): number | undefined {
  if (a === '' || b === '') return undefined;
  const read = (text: string) =>
    text
      .split(',')
      .map((part) => parseInterval(part, completions))
      .filter((interval): interval is Interval => typeof interval !== 'string');
  const left = read(a);
  const right = read(b);
  let i = 0;
  let j = 0;
  for (;;) {
    const x = left[i];
    const y = right[j];
    if (x === undefined || y === undefined) return undefined;
    if (x.first <= y.last && y.first <= x.last) return Math.max(x.first, y.first);
    if (x.first <= y.first) i++;
    else j++;
  }
}

function parseInterval(text: string, completions: number): Interval | string {
  const ends = text.split('-');
  if (ends.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const end of ends) {
    if (!/^[+]?[0-9]+$/.test(end)) {
      return `cannot convert string to integer for index: ${goQuote(end)}`;
    }
    if (Number(end) >= completions) return `too large index: ${goQuote(end)}`;
    numbers.push(Number(end));
  }
  const [first = 0, last = first] = numbers;
  if (ends.length === 2 && first >= last) {
    return `non-increasing order, previous: ${first}, current: ${last}`;
  }
  return { first, last };
}
