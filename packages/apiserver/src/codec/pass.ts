import { goQuote, ParseError } from '@flotilla/machinery';

/** Go could not read a value into its type; the message is Go's own text. */
export class GoDecodeError extends ParseError {
  constructor(message: string) {
    super(message);
    this.name = 'GoDecodeError';
  }
}

/** A JSON value of the wrong kind, or a number out of range. */
export class GoTypeError extends GoDecodeError {
  /** What Go calls the value: `string`, `number 1.5`. */
  readonly value: string;
  /** The type it does not fit. */
  readonly goName: string;
  constructor(message: string, { value, goName }: { value: string; goName: string }) {
    super(message);
    this.name = 'GoTypeError';
    this.value = value;
    this.goName = goName;
  }
}

/** Stops a pass without a trace: something is wrong, and only a traced pass can say what. */
export const TRACE_NEEDED = new GoDecodeError('a traced pass is needed');

/** Deeper nesting of structs than this is refused; no type of the API comes near it. */
const MAX_DEPTH = 1000;
/** Go's decoder keeps no more strict errors than this. */
const MAX_STRICT = 100;

/** Where a traced pass is, and what it has found. */
export interface Trace {
  /** Names of the struct fields above, as Go's type errors join them; no indexes, no map keys. */
  readonly fields: string[];
  /** Name of the struct whose field is being read. */
  struct: string;
  /** Path pieces as strict errors print them, with indexes and map keys. */
  readonly path: string[];
  /** The first error that lets Go read on. */
  saved: GoDecodeError | undefined;
  readonly strict: string[];
  /** Paths that occurred twice in the text, or undefined when strictness is not asked for. */
  readonly duplicates: ReadonlySet<string> | undefined;
}

/**
 * One walk over a value. The usual walk keeps no trace: it is fast, notes whether it met an unknown field and gives up
 * at the first error. Only then is the value walked again with a trace, in document order, for Go's exact words.
 */
export interface Pass {
  readonly trace: Trace | undefined;
  /** Set when values were made by us (from protobuf) and need no check of their text. */
  readonly trusted: boolean;
  /** Set when the value is to be stored, which loses the difference between no list and an empty one. */
  readonly stored: boolean;
  /** Set when the value was merged as maps, not read from a text: integers that do not fit are cut to their bits. */
  readonly wraps: boolean;
  depth: number;
  sawUnknown: boolean;
}

/** Begins a walk without a trace. */
export function fastPass({
  trusted = false,
  stored = false,
  wraps = false,
}: Partial<Pick<Pass, 'trusted' | 'stored' | 'wraps'>> = {}): Pass {
  return { trace: undefined, trusted, stored, wraps, depth: 0, sawUnknown: false };
}

/** Begins a walk that can name what it finds. */
export function tracedPass({
  duplicates,
  wraps = false,
}: {
  duplicates?: ReadonlySet<string>;
  wraps?: boolean;
} = {}): Pass & { readonly trace: Trace } {
  const trace: Trace = {
    fields: [],
    struct: '',
    path: [],
    saved: undefined,
    strict: [],
    duplicates,
  };
  return { ...fastPass({ wraps }), trace };
}

/** Notes an error after which Go reads on; the first one is what the client is told. */
export function saveError(pass: Pass, error: GoDecodeError): void {
  if (pass.trace === undefined) throw TRACE_NEEDED;
  pass.trace.saved ??= error;
}

/** Go's text for a value that does not fit its type, with the field it stands in. */
export function typeError(pass: Pass, value: string, goName: string): GoDecodeError {
  const trace = pass.trace;
  if (trace === undefined) return TRACE_NEEDED;
  const into =
    trace.fields.length === 0 && trace.struct === ''
      ? 'Go value'
      : `Go struct field ${trace.struct}.${trace.fields.join('.')}`;
  const message = `json: cannot unmarshal ${value} into ${into} of type ${goName}`;
  return new GoTypeError(message, { value, goName });
}

/** Notes that a value does not fit its type, and gives the zero value to go on with. */
export function misfit(pass: Pass, value: unknown, type: { goName: string; zero: () => unknown }) {
  saveError(pass, typeError(pass, describe(value), type.goName));
  return type.zero();
}

/** What Go calls a JSON value in its type errors. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Notes a field that is unknown or given twice; each text once. */
export function strictError(trace: Trace, kind: 'unknown' | 'duplicate', name: string): void {
  const text = `${kind} field ${goQuote(pathOf(trace, name))}`;
  if (trace.strict.length < MAX_STRICT && !trace.strict.includes(text)) trace.strict.push(text);
}

/** The path of a member of the object the trace stands in. */
export function pathOf(trace: Trace, name: string): string {
  return trace.path.length === 0 ? name : `${trace.path.join('')}.${name}`;
}

/** Enters a struct or a schema inside a schema; refuses nesting that no real object has. */
export function enter(pass: Pass): void {
  pass.depth += 1;
  if (pass.depth > MAX_DEPTH) throw new GoDecodeError('exceeded max depth');
}

/** Leaves what `enter` entered. */
export function leave(pass: Pass): void {
  pass.depth -= 1;
}
