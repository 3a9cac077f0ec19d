/** A double as Go's `%g` writes it with the fewest digits: an exponent below -4 and from 6 on. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    const digits = String(Math.abs(power)).padStart(2, '0');
    return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`;
  }
  return plain(mantissa, power);
}

/** A double in plain digits, however many it takes. */
export function formatPlain(value: number): string {
  if (!Number.isFinite(value)) return formatDouble(value);
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  return plain(mantissa, Number(exponent));
}

function plain(mantissa: string, power: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  if (digits.length <= power + 1) return sign + digits.padEnd(power + 1, '0');
  return `${sign}${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`;
}

const DECIMAL = /^[+-]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d+)?$/;

/** Reads a double as Go's ParseFloat does; undefined where it is none or beyond all doubles. */
export function parseDouble(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) {
    if (/nan/i.test(special[2] ?? '')) return special[1] ? undefined : Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (/^[+-]?0[xX]/.test(text)) return parseHex(text);
  if (!DECIMAL.test(text) || text.includes('_')) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function parseHex(text: string): number | undefined {
  const parts = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', power] = parts;
  if (whole === '' && fraction === '') return undefined;
  const mantissa = Number.parseInt(whole + fraction, 16);
  const value = mantissa * 2 ** (Number(power) - 4 * fraction.length);
  if (!Number.isFinite(value)) return undefined;
  return sign === '-' ? -value : value;
}
