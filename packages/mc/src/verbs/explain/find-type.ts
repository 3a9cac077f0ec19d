import { type ApiResource, type ApiSurface, resourcesOf } from '@flotilla/client';
import {
  type GroupVersion,
  goQuote,
  ParseError,
  parseGroupVersion,
  parseJsonPath,
} from '@flotilla/machinery';
import { Absent, NO_SUCH_TYPE } from '../../fan-out/answer-errors.ts';
import { UsageError } from '../../usage-error.ts';

/** A type on a server, and the field below it that is meant. */
export interface FoundType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** As discovery has it. */
  readonly kind: string;
  readonly fields: readonly string[];
}

/** What was typed. */
export interface TypeRequest {
  /** `pods.spec.containers`, `deployments.apps.spec`. */
  readonly text: string;
  /** Instead of the version that the server prefers. */
  readonly groupVersion: GroupVersion | undefined;
}

const NOT_FIRST = 'invalid jsonpath syntax, first node must be field node';
const NOT_ALL = 'invalid jsonpath syntax, all nodes must be field nodes';

/** Reads the arguments; throws kubectl's words for what cannot be meant. */
export function readRequest(text: string, apiVersion: string): TypeRequest {
  typeName(text);
  if (apiVersion === '') return { text, groupVersion: undefined };
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) {
    throw new UsageError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  return { text, groupVersion };
}

/** Finds the type on a server as kubectl does; throws Absent when it has none. */
export function findType(surface: ApiSurface, { text, groupVersion }: TypeRequest): FoundType {
  const name = typeName(text);
  const matching = resourcesNamed(surface, name);
  const [first] = matching;
  if (first === undefined) {
    throw new Absent(`the server doesn't have a resource type ${goQuote(name)}`, NO_SUCH_TYPE);
  }
  if (groupVersion !== undefined) {
    const { plural, kind } = first;
    return { ...groupVersion, plural, kind, fields: fieldsBehind(text, NOT_ALL) };
  }
  for (const { plural, group, version, kind } of matching) {
    const full = group === '' ? plural : `${plural}.${group}`;
    if (!text.startsWith(full)) continue;
    const rest = text.slice(full.length);
    const fields = rest === '' ? [] : fieldsBehind(rest, NOT_FIRST);
    return { group, version, plural, kind, fields };
  }
  const { plural, group, version, kind } = first;
  return { group, version, plural, kind, fields: fieldsBehind(text, NOT_FIRST) };
}

function typeName(text: string): string {
  const [first] = stepsOf(text);
  if (first !== undefined && first.kind !== 'field') throw new UsageError(NOT_FIRST);
  const name = first?.name ?? '';
  if (name === '') throw new UsageError('a resource must be present, got: /, Resource=');
  return name;
}

function fieldsBehind(text: string, problem: string): string[] {
  const [, ...steps] = stepsOf(text);
  return steps.map((step) => {
    if (step.kind !== 'field') throw new UsageError(problem);
    return step.name;
  });
}

/** kubectl reads it as the path of a field. */
function stepsOf(text: string) {
  const path = text.endsWith('.') ? text.slice(0, -1) : text;
  try {
    const [part, ...more] = parseJsonPath(`{.${path}}`).parts;
    if (part?.kind !== 'steps' || more.length > 0) {
      throw new UsageError('must pass in 1 jsonpath string');
    }
    return part.steps;
  } catch (error) {
    throw error instanceof ParseError ? new UsageError(error.message) : error;
  }
}

/** In the server's order of priority; names may be written in any case, short ones only as they are. */
function resourcesNamed(surface: ApiSurface, name: string): ApiResource[] {
  const all = [...resourcesOf(surface)];
  const isFull = all.some(({ plural, singular }) => plural === name || singular === name);
  const short = isFull ? undefined : all.find(({ shortNames }) => shortNames.includes(name));
  if (short !== undefined) {
    return all.filter(({ plural, group }) => plural === short.plural && group === short.group);
  }
  const lower = name.toLowerCase();
  return all.filter(({ plural, singular }) => plural === lower || singular === lower);
}
