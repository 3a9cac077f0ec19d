const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** A credit card number with the right check digit; anything but digits is ignored. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** A book number of ten digits (the last may be X) with the right check digit. */
export function isISBN10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].entries()) {
    sum += (index + 1) * (digit === 'X' ? 10 : Number(digit));
  }
  return sum % 11 === 0;
}

/** A book number of thirteen digits with the right check digit. */
export function isISBN13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits.slice(0, 12)].entries()) {
    sum += (index % 2 === 0 ? 1 : 3) * Number(digit);
  }
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

function withoutSeparators(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, '');
}
