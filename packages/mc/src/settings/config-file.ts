import {
  isJsonObject,
  ParseError,
  parseYaml,
  type YamlLines,
  yamlLines,
} from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import { type ConfigValues, configKeys, isConfigKey } from './config-keys.ts';
import { type ConfigProblem, unknownKey, wrong } from './config-problem.ts';
import type { Groups } from './groups.ts';
import { readGroups } from './read-groups.ts';

/** A config file, read. */
export interface ConfigFile {
  readonly values: ConfigValues;
  readonly groups: Groups;
  /** What it says that nobody understands, each with its line. */
  readonly warnings: readonly string[];
}

const API_VERSION = 'kubectl-mc.k8s.io/v1alpha1';

/**
 * Reads the text of a config file. A key that nobody knows is a warning, so that one file serves several versions; a
 * value that cannot be meant is a UsageError which names file, line, key and what is allowed.
 */
export function readConfigFile(source: string, path: string): ConfigFile {
  const document = parse(source, path);
  const found: { values: Record<string, unknown>; groups: Groups } = {
    values: {},
    groups: new Map(),
  };
  const problems: ConfigProblem[] = [];
  const unknown: ConfigProblem[] = [];

  for (const [section, content] of Object.entries(document)) {
    if (section === 'apiVersion' || section === 'kind') {
      const expected = section === 'kind' ? 'Config' : API_VERSION;
      if (content !== expected) problems.push(wrong([section], content, expected));
    } else if (section === 'groups') {
      found.groups = readGroups(content, problems, unknown);
    } else if (!sections.has(section)) {
      unknown.push(unknownKey([section], [...sections, 'groups']));
    } else if (content !== null) {
      readSection(section, content, { values: found.values, problems, unknown });
    }
  }

  const lines = problems.length + unknown.length > 0 ? yamlLines(source) : undefined;
  const placed = placing(lines);
  if (problems.length > 0) {
    throw new UsageError(
      `Cannot read config file "${path}": ${problems.map(placed).sort(byLine).map(textOf).join('; ')}`,
    );
  }
  return {
    values: found.values as ConfigValues,
    groups: found.groups,
    warnings: unknown
      .map(placed)
      .sort(byLine)
      .map((each) => `Config file "${path}": ${textOf(each)}`),
  };
}

const sections = new Set(Object.keys(configKeys).map((key) => key.split('.')[0] ?? ''));

function parse(source: string, path: string): Record<string, unknown> {
  try {
    const { value } = parseYaml(source);
    if (value === null) return {};
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`Cannot read config file "${path}": ${error.message}`, { cause: error });
  }
  throw new UsageError(`Cannot read config file "${path}": it is no mapping of keys to values`);
}

function readSection(
  section: string,
  content: unknown,
  found: { values: Record<string, unknown>; problems: ConfigProblem[]; unknown: ConfigProblem[] },
): void {
  if (!isJsonObject(content)) {
    found.problems.push(wrong([section], content, 'a mapping of keys to values'));
    return;
  }
  for (const [name, value] of Object.entries(content)) {
    const key = `${section}.${name}`;
    if (!isConfigKey(key)) {
      found.unknown.push(unknownKey([section, name], Object.keys(configKeys)));
      continue;
    }
    // As if the line were not there.
    if (value === null) continue;
    const { read, allowed } = configKeys[key];
    const meant = read(value);
    if (meant === undefined) found.problems.push(wrong([section, name], value, allowed));
    else found.values[key] = meant;
  }
}

interface Placed {
  readonly line: number;
  readonly message: string;
}

function placing(lines: YamlLines | undefined): (problem: ConfigProblem) => Placed {
  return ({ path, message }) => ({ line: lines?.(path) ?? 1, message });
}

const byLine = (a: Placed, b: Placed): number => a.line - b.line;
const textOf = ({ line, message }: Placed): string => `line ${line}: ${message}`;
