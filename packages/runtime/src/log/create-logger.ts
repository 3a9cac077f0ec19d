import type { Clock } from '@flotilla/machinery';
import { type Logger as Pino, pino } from 'pino';
import type { LogFields, Logger } from '../observer.ts';
import { type Budget, cleanFields, cleanText } from './clean-fields.ts';

/** What is written, from the most to the least; `silent` writes nothing. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];

/** Where lines go, each with its line break. */
export interface LogSink {
  readonly write: (line: string) => void;
}

/** How to log. */
export interface LoggerOptions {
  readonly sink: LogSink;
  readonly clock: Clock;
  /** @default info */
  readonly level?: LogLevel;
  /** On every line, such as the name of the program. */
  readonly fields?: LogFields;
  /** No line is longer, in characters. @default 16,384 */
  readonly longestLine?: number;
}

/** A logger whose level can be changed while it runs, for its children, too. */
export interface LevelledLogger extends Logger {
  readonly level: () => LogLevel;
  readonly setLevel: (level: LogLevel) => void;
}

const LONGEST_LINE = 16_384;

/** Programs have fewer sentences. */
const MOST_SENTENCES = 1_000;

interface Shared {
  level: number;
  readonly longestLine: number;
  /** Messages that were looked through before and have nothing to hide: they are constants, and looking takes time. */
  readonly harmless: Set<string>;
}

/**
 * Logs JSON lines: `level`, `time`, the fields, and last `msg`.
 *
 * @example
 * const logger = createLogger({ sink: process.stdout, clock: systemClock });
 * logger.info('Registered a cluster', { cluster: 'west' });
 */
export function createLogger(options: LoggerOptions): LevelledLogger {
  const { sink, clock, level = 'info', fields = {}, longestLine = LONGEST_LINE } = options;
  const shared: Shared = {
    level: logLevels.indexOf(level),
    longestLine,
    harmless: new Set(),
  };
  const base = pino(
    {
      // Levels are compared here, because pino's children keep the level they were made with.
      level: 'trace',
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are plain data by now; pino's own serializer would take them for errors again.
      serializers: { err: (error: unknown) => error },
    },
    { write: (line: string) => sink.write(shortened(line, longestLine)) },
  );
  return {
    ...loggerOn(base, fields, shared),
    level: () => logLevels[shared.level] ?? 'silent',
    setLevel: (next) => {
      shared.level = logLevels.indexOf(next);
    },
  };
}

/**
 * Fields of children are cleaned with those of each line, and only when it is written: most children never write, and
 * all fields of a line share one budget.
 */
function loggerOn(target: Pino, bound: LogFields, shared: Shared): Logger {
  const writer = (level: Exclude<LogLevel, 'silent'>) => {
    const rank = logLevels.indexOf(level);
    return (message: string, fields?: LogFields): void => {
      if (rank < shared.level) return;
      // Half of a line is for quotes and escapes.
      const budget: Budget = { left: Math.floor(shared.longestLine / 2) };
      const all = fields === undefined ? bound : { ...bound, ...fields };
      target[level](cleanFields(all, budget), cleanMessage(message, shared));
    };
  };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    child: (fields) => loggerOn(target, { ...bound, ...fields }, shared),
  };
}

function cleanMessage(message: string, { harmless }: Shared): string {
  if (harmless.has(message)) return message;
  const clean = cleanText(message);
  if (clean === message && harmless.size < MOST_SENTENCES) harmless.add(message);
  return clean;
}

/** Escapes can make a line longer than its parts; what is left then is who said what, and that there was more. */
function shortened(line: string, longest: number): string {
  if (line.length <= longest) return line;
  const { level, time, msg } = JSON.parse(line) as Record<string, string>;
  const rest = { level, time, length: line.length, isCut: true };
  const room = Math.max(0, Math.floor((longest - JSON.stringify(rest).length - 10) / 6));
  return `${JSON.stringify({ ...rest, msg: msg?.slice(0, room) })}\n`;
}
