import { checkName } from '../../validation/name-rules.ts';
import { isQualifiedName, isValidLabelValue } from '../../validation/names.ts';
import { listType, optionalType, stringType } from '../types.ts';
import { parseDate, parseDateTime } from '../values/formats.ts';
import { ValueList } from '../values/lists.ts';
import { CelOpaque, CelOptional, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, global, member } from './function.ts';
import { parseRequestUri, UrlError } from './go-url.ts';
import { formatType } from './opaque-types.ts';

/** A format by its name, with what it says of texts that are not of it. */
export class CelFormat extends CelOpaque {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly problems: (text: string) => readonly string[];
  /** What the cost of a validation goes by. */
  readonly maxPatternSize: number;

  constructor(name: string, maxPatternSize: number, problems: CelFormat['problems']) {
    super();
    this.name = name;
    this.maxPatternSize = maxPatternSize;
    this.problems = problems;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelFormat && this.name === other.name;
  }
}

const unless =
  (message: string, isValid: (text: string) => boolean) =>
  (text: string): string[] =>
    isValid(text) ? [] : [message];

function uriProblems(text: string): string[] {
  try {
    parseRequestUri(text);
    return [];
  } catch (err) {
    if (!(err instanceof UrlError)) throw err;
    return [err.message];
  }
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The lengths of the patterns that upstream's formats are defined by. */
const UUID_PATTERN_SIZE = 70;
const DATETIME_PATTERN_SIZE = 71;

const isDateTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[Tt]/.test(text) && parseDateTime(text.toUpperCase()) !== undefined;

const FORMATS: ReadonlyMap<string, CelFormat> = new Map(
  [
    ['dns1123Label', 'DNS1123Label', 30, (t: string) => checkName(t, 'label', false)] as const,
    [
      'dns1123Subdomain',
      'DNS1123Subdomain',
      60,
      (t: string) => checkName(t, 'subdomain', false),
    ] as const,
    ['dns1035Label', 'DNS1035Label', 30, (t: string) => checkName(t, 'label-1035', false)] as const,
    ['qualifiedName', 'QualifiedName', 60, isQualifiedName] as const,
    [
      'dns1123LabelPrefix',
      'DNS1123LabelPrefix',
      30,
      (t: string) => checkName(t, 'label', true),
    ] as const,
    [
      'dns1123SubdomainPrefix',
      'DNS1123SubdomainPrefix',
      60,
      (t: string) => checkName(t, 'subdomain', true),
    ] as const,
    [
      'dns1035LabelPrefix',
      'DNS1035LabelPrefix',
      30,
      (t: string) => checkName(t, 'label-1035', true),
    ] as const,
    ['labelValue', 'LabelValue', 40, isValidLabelValue] as const,
    ['uri', 'URI', 1103, uriProblems] as const,
    [
      'uuid',
      'uuid',
      UUID_PATTERN_SIZE,
      unless('does not match the UUID format', (t) => UUID.test(t)),
    ] as const,
    ['byte', 'byte', 84, unless('invalid base64', (t) => t !== '' && BASE64.test(t))] as const,
    [
      'date',
      'date',
      DATETIME_PATTERN_SIZE,
      unless('invalid date', (t) => parseDate(t) !== undefined),
    ] as const,
    [
      'datetime',
      'datetime',
      DATETIME_PATTERN_SIZE,
      unless('invalid datetime', isDateTime),
    ] as const,
  ].map(([key, name, size, problems]) => [key, new CelFormat(name, size, problems)]),
);

function validate(format: CelFormat, text: string): CelValue {
  const problems = format.problems(text);
  return problems.length === 0 ? CelOptional.none : new CelOptional(new ValueList([...problems]));
}

/** Kubernetes' library of named formats. */
export const formatFunctions: readonly FunctionDecl[] = [
  ...[...FORMATS].map(([key, format]) =>
    define(
      `format.${key}`,
      global(`format.${key}`, { args: [], result: formatType, call: () => format }),
    ),
  ),
  define(
    'format.named',
    global('format-named', {
      args: [stringType],
      result: optionalType(formatType),
      call: (name: string) => {
        const format = FORMATS.get(name);
        return format ? new CelOptional(format) : CelOptional.none;
      },
    }),
  ),
  define(
    'validate',
    member('format-validate', {
      args: [formatType, stringType],
      result: optionalType(listType(stringType)),
      call: validate,
    }),
  ),
];
