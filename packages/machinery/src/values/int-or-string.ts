import { goQuote } from '../go/quote.ts';
import { ParseError } from '../parse-error.ts';

/** A number, or a text that is mostly a percentage or the name of a port. */
export type IntOrString = number | string;

/** The number an IntOrString stands for against a total; errors have upstream's text. */
export function scaledIntOrPercent(
  value: IntOrString | undefined | null,
  total: number,
  options: { readonly roundUp: boolean },
): number {
  if (value === undefined || value === null) throw new ParseError('nil value for IntOrString');
  if (typeof value === 'number') return value;
  const scaled = (percentOf(value) * total) / 100;
  return options.roundUp ? Math.ceil(scaled) : Math.floor(scaled);
}

/** The number before the percent sign; undefined when the value is no percentage. */
export function percentValue(value: IntOrString | undefined | null): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value)
    ? Number(value.slice(0, -1))
    : undefined;
}

function percentOf(text: string): number {
  if (!text.endsWith('%')) {
    throw invalidValue('invalid type: string is not a percentage');
  }
  const digits = text.slice(0, -1);
  if (!/^[+-]?[0-9]+$/.test(digits)) {
    throw invalidValue(
      `invalid value ${goQuote(text)}: strconv.Atoi: parsing ${goQuote(digits)}: invalid syntax`,
    );
  }
  return Number(digits);
}

function invalidValue(detail: string): ParseError {
  return new ParseError(`invalid value for IntOrString: ${detail}`);
}
