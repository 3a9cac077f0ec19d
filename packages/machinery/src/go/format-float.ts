/** A float64 as Go's `%v` prints it: the shortest digits, an exponent below 1e-4 and from 1e21 on. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size === 0) return Object.is(value, -0) ? '-0' : '0';
  if (size < 1e-4 || size >= 1e21) return withExponent(value);
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/0+$/, '') : text;
}

function withExponent(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const digits = exponent.slice(1).padStart(2, '0');
  return `${mantissa}e${exponent.startsWith('-') ? '-' : '+'}${digits}`;
}
