import {
  badRequest,
  type FieldError,
  forbidden,
  invalidObject,
  notSupported,
  validateFieldManager,
} from '@flotilla/machinery';

/** Options shared by create, update and patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly fieldManager: string;
  readonly force: boolean;
}

/** Options of list and watch, checked as upstream checks them. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/** Reads the query of a create, update or patch; `kind` names the options in errors. */
export function writeOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  particular: (fieldManager: string) => readonly FieldError[] = () => [],
): WriteOptions {
  const errors: FieldError[] = [];
  const fieldManager = query.get('fieldManager') ?? '';
  errors.push(...particular(fieldManager));
  const dryRuns = query.getAll('dryRun');
  errors.push(...validateFieldManager(fieldManager, 'fieldManager'));
  errors.push(...validateDryRun(dryRuns));
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    errors.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRuns.length > 0,
    // Upstream's default since 1.27.
    fieldValidation: validation === '' ? 'Warn' : (validation as WriteOptions['fieldValidation']),
    fieldManager,
    force: booleanParameter(query, 'force') ?? false,
  };
}

/** `dryRun=All` is the only value there is. */
export function validateDryRun(values: readonly string[], path = 'dryRun'): FieldError[] {
  return values.some((value) => value !== 'All') ? [notSupported(path, values, ['All'])] : [];
}

/** Reads and checks the query of a list or watch. */
export function listOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const asked: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: integerParameter(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: (query.get('resourceVersionMatch') ??
      '') as ListOptions['resourceVersionMatch'],
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: booleanParameter(query, 'sendInitialEvents'),
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
  };
  // Upstream reads a watch without a revision as one that asks for initial events.
  const implied =
    watch &&
    asked.sendInitialEvents === undefined &&
    asked.resourceVersionMatch === '' &&
    (asked.resourceVersion === '' || asked.resourceVersion === '0');
  const options: ListOptions = implied
    ? { ...asked, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
    : asked;
  const errors = watch ? validateWatch(options) : validateList(options);
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  }
  return options;
}

const MATCH = 'resourceVersionMatch';

function validateList(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match: string = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '') {
      errors.push(forbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    }
    if (options.continue !== '') {
      errors.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function validateWatch(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match: string = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
  }
  if (match !== '') {
    if (options.sendInitialEvents === undefined) {
      errors.push(
        forbidden(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`),
      );
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
    if (options.continue !== '') {
      errors.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    }
  }
  return errors;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Go's strconv.ParseInt, with the error upstream's parameter codec gives. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const value = BigInt(text.replace('+', ''));
  if (value > MAX_INT64 || value < -MAX_INT64 - 1n) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  // Beyond 2^53 the last digits do not matter to any option there is.
  return Number(value);
}

/** A bare parameter and anything but `0` and `false` mean true. */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}
