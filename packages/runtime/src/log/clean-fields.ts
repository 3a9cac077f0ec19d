import { REDACTED, redact, SecretValue } from '../conditions/redact.ts';
import type { LogFields } from '../observer.ts';

const DEEPEST = 6;
const MOST_ITEMS = 50;
const LONGEST_TEXT = 4096;
const CUT = '…';

/** Fields that hold credentials wherever they stand: headers, kubeconfigs, Secrets, our own kinds. */
const SECRET_FIELD =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|password|passwd|secret|credentials?|kubeconfig|tls\.key|stringData|(?:id|access|refresh|bearer|client|session)?[-_]?token(?:[-_]?data)?|(?:client|private|signing)[-_]?(?:key|secret)(?:[-_]?data)?|api[-_]?key|key[-_]?data)$/i;

/** Names that a line has of its own; a field of the same name would be a second one. */
const TAKEN = new Set(['level', 'time', 'msg']);

/** How many characters a line has left for its fields. */
export interface Budget {
  left: number;
}

/** Fields as they may be written: plain data, no secrets, no more than the budget. */
export function cleanFields(fields: LogFields, budget: Budget): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    clean[TAKEN.has(name) ? `${name}_` : name] = cleanMember(name, value, {
      budget,
      above: [],
    });
  }
  return clean;
}

/** Names and numbers: most texts of a log, in which there is nothing to look for. */
const PLAIN = /^[\w./-]{0,100}$/;
/** How tokens and encoded keys begin. */
const TELLTALE = /eyJ|LS0t|YXBp|-----/;

/** A text without credentials and of bounded length. */
export function cleanText(text: string): string {
  if (PLAIN.test(text) && !TELLTALE.test(text)) return text;
  return redact(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}${CUT}` : text);
}

interface Walk {
  readonly budget: Budget;
  /** The objects that this value is in, outermost first. */
  readonly above: readonly object[];
}

function cleanMember(name: string, value: unknown, walk: Walk): unknown {
  walk.budget.left -= name.length;
  const isSecret = SECRET_FIELD.test(name) && value !== undefined && typeof value !== 'boolean';
  return isSecret ? REDACTED : cleanValue(value, walk);
}

function cleanValue(value: unknown, walk: Walk): unknown {
  if (walk.budget.left <= 0) return CUT;
  switch (typeof value) {
    case 'string': {
      const text = cleanText(value).slice(0, walk.budget.left);
      walk.budget.left -= text.length;
      return text;
    }
    case 'bigint':
      return value.toString();
    case 'function':
    case 'symbol':
      return undefined;
    case 'object':
      return value === null ? null : cleanObject(value, walk);
    default:
      walk.budget.left -= 8;
      return value;
  }
}

function cleanObject(value: object, walk: Walk): unknown {
  if (value instanceof SecretValue) return REDACTED;
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (walk.above.includes(value)) return '[circular]';
  if (walk.above.length >= DEEPEST) return CUT;
  const below: Walk = { ...walk, above: [...walk.above, value] };
  if (value instanceof Error) return cleanError(value, below);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return cleanValue(value.toJSON(), below);
  }
  if (value instanceof Map) return cleanRecord(Object.fromEntries(value), below);
  if (Array.isArray(value) || value instanceof Set) return cleanList([...value], below);
  return cleanRecord(value as Record<string, unknown>, below);
}

function cleanList(items: readonly unknown[], walk: Walk): unknown[] {
  const clean = items.slice(0, MOST_ITEMS).map((item) => cleanValue(item, walk));
  return items.length > MOST_ITEMS ? [...clean, `${CUT} ${items.length} in all`] : clean;
}

function cleanRecord(record: Record<string, unknown>, walk: Walk): Record<string, unknown> {
  const isSecret = record['kind'] === 'Secret';
  const clean: Record<string, unknown> = {};
  let count = 0;
  for (const [name, value] of Object.entries(record)) {
    count += 1;
    if (count > MOST_ITEMS || walk.budget.left <= 0) {
      clean[CUT] = `${Object.keys(record).length} fields in all`;
      break;
    }
    clean[name] = isSecret && name === 'data' ? REDACTED : cleanMember(name, value, walk);
  }
  return clean;
}

/** What helps with an error: its kind, text and stack, the codes that programs compare, and its causes. */
function cleanError(error: Error, walk: Walk): Record<string, unknown> {
  const { code, reason, cause } = error as Error & { code?: unknown; reason?: unknown };
  // Its first lines repeat the message, which may have several.
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: cleanValue(error.message, walk),
    ...(code === undefined ? {} : { code: cleanValue(code, walk) }),
    ...(reason === undefined ? {} : { reason: cleanValue(reason, walk) }),
    ...(cause === undefined ? {} : { cause: cleanValue(cause, walk) }),
    ...(stack === undefined ? {} : { stack: cleanValue(stack.join('\n'), walk) }),
  };
}
