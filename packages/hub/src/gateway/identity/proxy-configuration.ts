import { isJsonObject, ParseError, parseYaml } from '@flotilla/machinery';
import { CelFault, compilePattern } from '@flotilla/machinery/cel';

/** Bounds on what an annotation may make every request cost. */
const MOST_RULES = 1000;
const LONGEST_PATTERN = 1000;
/** Names longer than this match no pattern. */
const LONGEST_NAME = 2000;

/** As whom requests are sent on: the rules of cluster-gateway's ClusterGatewayProxyConfiguration, in order. */
export interface ProxyConfiguration {
  readonly rules: readonly ExchangeRule[];
}

/** One rule: whom it is for, and what becomes of them. */
export interface ExchangeRule {
  readonly name: string;
  readonly type: string;
  readonly source: ExchangeSource | undefined;
  readonly target: ExchangeTarget | undefined;
}

/** Everything that is given must hold. */
export interface ExchangeSource {
  readonly user?: string;
  readonly group?: string;
  readonly uid?: string;
  readonly cluster?: string;
  readonly userPattern?: Pattern;
  readonly groupPattern?: Pattern;
  readonly clusterPattern?: Pattern;
}

/** Whom the member sees. */
export interface ExchangeTarget {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
}

/** A pattern of Go's syntax, which takes time in proportion to the text and no more. */
export type Pattern = (text: string) => boolean;

/** Thrown for a configuration that cannot be read: nobody may guess whom requests were to be sent as. */
export class ProxyConfigurationError extends Error {
  override readonly name = 'ProxyConfigurationError';
}

/**
 * Reads a configuration. Unlike upstream's, a pattern that is none is an error: there it would match everyone, and a
 * rule for a few administrators would hand the cluster's own credential to all.
 */
export function parseProxyConfiguration(text: string): ProxyConfiguration {
  const spec = object(parsed(text), 'the configuration')['spec'];
  const exchanger = object(spec ?? {}, 'spec')['clientIdentityExchanger'];
  const rules = object(exchanger ?? {}, 'spec.clientIdentityExchanger')['rules'] ?? [];
  if (!Array.isArray(rules)) throw new ProxyConfigurationError('its rules are no list');
  if (rules.length > MOST_RULES) {
    throw new ProxyConfigurationError(`it has more than ${MOST_RULES} rules`);
  }
  return { rules: rules.map(ruleOf) };
}

function parsed(text: string): unknown {
  try {
    return parseYaml(text).value ?? {};
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ProxyConfigurationError('it is not YAML');
  }
}

function ruleOf(value: unknown, index: number): ExchangeRule {
  const rule = object(value, `rule ${index}`);
  const name = textOf(rule, 'name', index) ?? '';
  const { source, target } = rule;
  return {
    name,
    type: textOf(rule, 'type', index) ?? '',
    source: isGiven(source)
      ? sourceOf(object(source, `source of rule ${index}`), index)
      : undefined,
    target: isGiven(target)
      ? targetOf(object(target, `target of rule ${index}`), index)
      : undefined,
  };
}

function sourceOf(source: Record<string, unknown>, index: number): ExchangeSource {
  const texts = (['user', 'group', 'uid', 'cluster'] as const).map((field) => [
    field,
    textOf(source, field, index),
  ]);
  const patterns = (['userPattern', 'groupPattern', 'clusterPattern'] as const).map((field) => {
    const text = textOf(source, field, index);
    return [field, text === undefined ? undefined : patternOf(text, field, index)];
  });
  return Object.fromEntries([...texts, ...patterns].filter(([, value]) => value !== undefined));
}

function targetOf(target: Record<string, unknown>, index: number): ExchangeTarget {
  const { groups = [] } = target;
  if (!Array.isArray(groups) || groups.some((group) => typeof group !== 'string')) {
    throw new ProxyConfigurationError(`the target groups of rule ${index} are no list of texts`);
  }
  return {
    user: textOf(target, 'user', index) ?? '',
    groups: groups as string[],
    uid: textOf(target, 'uid', index) ?? '',
  };
}

function patternOf(text: string, field: string, index: number): Pattern {
  const compiled =
    text.length > LONGEST_PATTERN ? new CelFault('it is too long') : compilePattern(text);
  if (compiled instanceof CelFault) {
    throw new ProxyConfigurationError(
      `${field} of rule ${index} is no pattern: ${compiled.message}`,
    );
  }
  return (name) => name.length <= LONGEST_NAME && compiled.matcher(name).find();
}

function textOf(from: Record<string, unknown>, field: string, index: number): string | undefined {
  const value = from[field];
  if (!isGiven(value)) return undefined;
  if (typeof value !== 'string') {
    throw new ProxyConfigurationError(`${field} of rule ${index} is no text`);
  }
  return value;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function object(value: unknown, what: string): Record<string, unknown> {
  if (!isJsonObject(value)) throw new ProxyConfigurationError(`${what} is no object`);
  return value;
}
