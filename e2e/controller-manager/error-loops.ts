// An error loop: one cause that a program logs at level error again and again.

/** A cause, and how often it was logged. */
export interface ErrorLoop {
  readonly cause: string;
  readonly times: number;
}

// klog's line: level, date, time, thread, place.
const ERROR_LINE = /^E\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (\S+:\d+)\] (.*)$/;
const STRUCTURED_ERROR = /\b(?:err|error)="((?:[^"\\]|\\.)*)"/;

/** The causes logged more than `most` times, the most frequent first. */
export function errorLoops(log: string, most: number): ErrorLoop[] {
  const times = new Map<string, number>();
  for (const line of log.split('\n')) {
    const [, place = '', text = ''] = ERROR_LINE.exec(line) ?? [];
    if (place === '') continue;
    const cause = `${place} ${causeOf(text)}`;
    times.set(cause, (times.get(cause) ?? 0) + 1);
  }
  return [...times]
    .map(([cause, count]) => ({ cause, times: count }))
    .filter(({ times: count }) => count > most)
    .sort((a, b) => b.times - a.times);
}

/** A message without what tells one object or moment from another. */
function causeOf(text: string): string {
  const [, error] = STRUCTURED_ERROR.exec(text) ?? [];
  const message = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  return `${message}${error === undefined ? '' : `: ${error}`}`
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d+/g, '0')
    .replace(/-[bcdfghjklmnpqrstvwxz0]{5,10}\b/g, '-<name>');
}
