import { notSupported } from '../../field-errors.ts';
import { strictlyEqual } from '../../patch/strictly-equal.ts';
import { sorted, sortedJson } from '../sorted-json.ts';
import { isInteger } from './number-check.ts';
import { type Check, fail, fieldOf } from './run.ts';

/** Checks that a value is one of those listed. A null never is, whatever the list says. */
export function enumCheck(values: readonly unknown[]): Check {
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const others = values.filter((value) => typeof value !== 'string');
  return (value, path, run) => {
    if (typeof value === 'string' ? texts.has(value) : isOther(value)) return;
    const supported = values.map((item) => (typeof item === 'string' ? item : sortedJson(item)));
    fail(run, () => notSupported(fieldOf(run, path), sorted(value), supported));
  };

  function isOther(value: unknown): boolean {
    if (value === null) return false;
    if (isNumber(value))
      return others.some((item) => isNumber(item) && isSame(value, item)) || isRune(value);
    return others.some((item) => strictlyEqual(item, value));
  }

  /** Go converts an integer to the text of that character, and upstream compares after converting. */
  function isRune(value: number | bigint): boolean {
    if (texts.size === 0 || !isInteger(value)) return false;
    const code = Number(value);
    return texts.has(code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
  }
}

/** Compares after converting to the type of the listed number. */
function isSame(value: number | bigint, item: number | bigint): boolean {
  if (isInteger(item) && !isInteger(value)) return Math.trunc(Number(value)) === Number(item);
  // biome-ignore lint/suspicious/noDoubleEquals: numbers and bigints of the same value are meant to be equal.
  return value == item;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
