/** What upstream says about a text with too many bytes. */
export function maxLengthMessage(max: number): string {
  return `must be no more than ${max} characters`;
}

/** What upstream says about a number outside a range. */
export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** What upstream says about a text that does not match a pattern. */
export function patternMessage(
  explanation: string,
  pattern: string,
  examples: readonly string[] = [],
): string {
  if (examples.length === 0) return `${explanation} (regex used for validation is '${pattern}')`;
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${explanation} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/** What upstream says about an empty text. */
export const emptyMessage = 'must be non-empty';
