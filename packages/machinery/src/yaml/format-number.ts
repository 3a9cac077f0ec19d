/** A number as Go's YAML writer prints it: integers plainly, floats in the shorter of two forms. */
export function formatYamlNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return value.toString();
  return formatFloat(value);
}

/** A float that stands as a key, as Go prints it: with the digits a 32-bit float needs. */
export function formatFloatKey(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  let digits = 1;
  while (Math.fround(Number(value.toPrecision(digits))) !== Math.fround(value)) digits++;
  return formatFloat(Number(value.toPrecision(digits)));
}

function formatFloat(value: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  return power < -4 || power >= 6 ? exponential(mantissa, power) : value.toString();
}

/** Go writes at least two digits of the exponent, and its sign. */
function exponential(mantissa: string, power: number): string {
  const digits = Math.abs(power).toString().padStart(2, '0');
  return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`;
}
