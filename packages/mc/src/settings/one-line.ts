const LONGEST = 60;

/** A value as it was written, short and on one line, for messages. */
export function oneLine(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? each.toString() : each,
  );
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
