import { posix } from 'node:path';
import {
  durationToMs,
  getOwn,
  isDNS1123Label,
  isJsonObject,
  ParseError,
  parseDuration,
  parseYamlDocuments,
} from '@flotilla/machinery';
import type { AllowedArgument, ExecProfile } from './exec-profile.ts';

/** No command may take longer than this, nor does one that has no timeout of its own. */
const LONGEST_MS = 30_000;
const SHORTEST_MS = 1000;

const FIELDS = new Set([
  'name',
  'command',
  'argsAllowed',
  'env',
  'timeout',
  'namespaces',
  'servers',
]);

/** A file of exec profiles is wrong; every problem at once. */
export class ExecProfilesError extends Error {
  override readonly name = 'ExecProfilesError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the administrator's file of exec profiles: `profiles`, a list. What is unknown, missing, said twice or of the wrong
 * type is an error, because a profile that is wider than it was meant to be runs commands for strangers.
 */
export function parseExecProfiles(text: string): ExecProfile[] {
  const list = profileList(text);
  const problems: string[] = [];
  const profiles = list.map((item, index) =>
    readProfile(item, (field, state) => {
      problems.push(`Cannot use profiles[${index}]${field}: ${state}`);
    }),
  );
  const names = profiles.map(({ name }) => name);
  names.forEach((name, index) => {
    if (name !== '' && names.indexOf(name) < index) {
      problems.push(`Cannot use profiles[${index}].name: "${name}" is the name of another profile`);
    }
  });
  if (problems.length > 0) throw new ExecProfilesError(problems);
  return profiles;
}

function profileList(text: string): unknown[] {
  const fail = (state: string) => new ExecProfilesError([`Cannot read exec profiles: ${state}`]);
  let documents: ReturnType<typeof parseYamlDocuments>;
  try {
    documents = parseYamlDocuments(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw fail(error.message);
  }
  const [first, ...others] = documents;
  if (others.length > 0) throw fail('there is more than one YAML document');
  if (first?.strictError !== undefined) throw fail(first.strictError);
  const { value } = first ?? { value: null };
  const profiles = isJsonObject(value) ? getOwn(value, 'profiles') : undefined;
  if (!isJsonObject(value) || !Array.isArray(profiles)) {
    throw fail('there is no list "profiles" at the top');
  }
  const unknown = Object.keys(value).find((field) => field !== 'profiles');
  if (unknown !== undefined) throw fail(`there is an unknown field "${unknown}" beside "profiles"`);
  return profiles;
}

/** Notes what is wrong with a field; '' is the whole profile. */
type Report = (field: string, state: string) => void;

function readProfile(item: unknown, report: Report): ExecProfile {
  if (!isJsonObject(item)) {
    report('', 'it is not an object');
    return { name: '', command: '', args: [], env: {}, timeoutMs: 0, namespaces: [], servers: [] };
  }
  for (const field of Object.keys(item)) {
    if (!FIELDS.has(field)) report(`.${field}`, 'profiles have no such field');
  }
  return {
    name: nameOf(getOwn(item, 'name'), report),
    command: commandOf(getOwn(item, 'command'), report),
    args: listOf(getOwn(item, 'argsAllowed'), '.argsAllowed', report).flatMap((arg, index) =>
      argumentOf(arg, (field, state) => report(`.argsAllowed[${index}]${field}`, state)),
    ),
    env: envOf(getOwn(item, 'env') ?? {}, report),
    timeoutMs: timeoutOf(getOwn(item, 'timeout') ?? '30s', report),
    namespaces: listOf(getOwn(item, 'namespaces'), '.namespaces', report).flatMap((name, index) => {
      if (typeof name === 'string' && isDNS1123Label(name).length === 0) return [name];
      report(`.namespaces[${index}]`, 'it is not the name of a namespace');
      return [];
    }),
    servers: listOf(getOwn(item, 'servers'), '.servers', report).flatMap((server, index) =>
      patternOf(server, (state) => report(`.servers[${index}]`, state)),
    ),
  };
}

function nameOf(name: unknown, report: Report): string {
  if (typeof name === 'string' && isDNS1123Label(name).length === 0) return name;
  report('.name', 'it must be a name of lower-case letters, digits and "-"');
  return '';
}

function commandOf(command: unknown, report: Report): string {
  const isPath = typeof command === 'string' && posix.isAbsolute(command);
  if (isPath && posix.normalize(command) === command && !command.endsWith('/')) return command;
  report('.command', 'it must be an absolute path, such as /usr/local/bin/aws');
  return '';
}

function listOf(value: unknown, field: string, report: Report): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  report(field, 'it is not a list');
  return [];
}

function argumentOf(arg: unknown, report: Report): AllowedArgument[] {
  if (typeof arg === 'string') return [{ exact: arg }];
  const fields = isJsonObject(arg) ? Object.keys(arg).sort().join() : '';
  if (isJsonObject(arg) && fields === 'pattern') {
    const found = patternOf(arg['pattern'], (state) => report('.pattern', state));
    return found.map((pattern) => ({ pattern }));
  }
  const option = isJsonObject(arg) ? arg['option'] : undefined;
  if (isJsonObject(arg) && fields === 'option,value' && typeof option === 'string') {
    if (!/^--?[A-Za-z0-9]/.test(option)) report('.option', 'it must begin with "-"');
    const found = patternOf(arg['value'], (state) => report('.value', state));
    return found.map((value) => ({ option, value }));
  }
  report('', 'it must be a text, or have a pattern, or an option and the pattern of its value');
  return [];
}

/** A regular expression that must match the whole: a part is no permission. */
function patternOf(source: unknown, report: (state: string) => void): RegExp[] {
  if (typeof source !== 'string' || source === '') {
    report('it is not a regular expression');
    return [];
  }
  try {
    // Alone first: `a)|(b` would be legal between our brackets, and mean something else.
    new RegExp(source, 'u');
    return [new RegExp(`^(?:${source})$`, 'u')];
  } catch {
    report('it is not a regular expression');
    return [];
  }
}

function envOf(env: unknown, report: Report): Record<string, string> {
  if (!isJsonObject(env)) {
    report('.env', 'it is not an object');
    return {};
  }
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) report('.env', `"${name}" is no variable`);
      else if (name === 'KUBERNETES_EXEC_INFO') report(`.env.${name}`, 'it is set for each run');
      else if (typeof value !== 'string')
        report(`.env.${name}`, 'it is not a text; put it in quotes');
      else return [[name, value]];
      return [];
    }),
  );
}

function timeoutOf(timeout: unknown, report: Report): number {
  try {
    const ms = typeof timeout === 'string' ? durationToMs(parseDuration(timeout)) : 0;
    if (ms >= SHORTEST_MS && ms <= LONGEST_MS) return ms;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  report('.timeout', 'it must be a duration between 1s and 30s');
  return LONGEST_MS;
}
