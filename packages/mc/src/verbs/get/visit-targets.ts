import type { ApiResource } from '@flotilla/client';
import { isNotFound, statusErrorOf } from '@flotilla/machinery';
import { noSuchType } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import type { Glob } from '../../selection/glob.ts';
import { UsageError } from '../../usage-error.ts';
import type { GetPlan } from './plan.ts';
import type { Target } from './target.ts';

/** A question to a server: all objects at a place, those of which a glob means the name, or one. */
export interface Question {
  readonly segment: number;
  /** Undefined for all namespaces, and for what has none. */
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  readonly glob?: Glob | undefined;
}

/** An object that a cluster does not have. */
export interface MissingObject {
  /** The same on all clusters: what was asked for. */
  readonly key: string;
  readonly error: Error;
}

/** What a cluster had of what it was asked for. */
export interface Visited {
  readonly missing: readonly MissingObject[];
  /** Types that the server does not have, as they were typed. */
  readonly unknown: readonly { readonly type: string; readonly error: Error }[];
  /** How many questions had an answer. */
  readonly answered: number;
  /** Namespaces that were asked in; empty when some questions were about all of them, or about none. */
  readonly namespaces: readonly string[];
}

/** Discovery throws no class of its own for it. */
const NO_SUCH_TYPE = 'the server doesn\'t have a resource type "';

/** Asks one question; a 404 about the object is told by throwing it. */
export type Visit = (resource: ApiResource, question: Question) => Promise<void>;

/** Asks a cluster for all that was asked of it, one after the other. Other failures than absence are thrown. */
export async function visitTargets(member: Member, plan: GetPlan, visit: Visit): Promise<Visited> {
  const missing: MissingObject[] = [];
  const unknown: { type: string; error: Error }[] = [];
  const namespaces = new Set<string>();
  const seen = new Set<string>();
  let isAnywhere = false;
  let answered = 0;

  const ask = async (resource: ApiResource, target: Target): Promise<void> => {
    // `po,pods` is one type, as in kubectl.
    const identity = `${resource.plural}.${resource.version}.${resource.group}/${target.name ?? ''}`;
    if (target.name === undefined && seen.has(identity)) return;
    seen.add(identity);
    for (const namespace of namespacesOf(resource, target, { member, plan })) {
      if (namespace === undefined) isAnywhere = true;
      else namespaces.add(namespace);
      try {
        await visit(resource, { ...target, namespace });
        answered += 1;
      } catch (error) {
        if (!isObjectMissing(error, target)) throw error;
        if (plan.ignoreNotFound) answered += 1;
        else missing.push({ key: keyOf(target), error: error as Error });
      }
    }
  };
  for (const target of plan.targets) {
    if (!isFor(target, member)) continue;
    const error = await visitType(member, target, ask);
    if (error !== undefined) unknown.push({ type: target.type, error });
  }
  return { missing, unknown, answered, namespaces: isAnywhere ? [] : [...namespaces] };
}

/** What was asked for, in words that are the same for all clusters. */
export function keyOf({ type, name = '', namespace = '' }: Target): string {
  return `${type}/${namespace}/${name}`;
}

/** Undefined, or why the server does not know the type. */
async function visitType(
  { discovery, signal }: Member,
  target: Target,
  ask: (resource: ApiResource, target: Target) => Promise<void>,
): Promise<Error | undefined> {
  const { type } = target;
  try {
    await discovery.use(type, (resource) => ask(resource, target), signal);
    return undefined;
  } catch (error) {
    if (!isTypeMissing(error)) throw error;
  }
  const resources = (await discovery.category(type, signal)).filter(({ verbs }) =>
    verbs.includes('list'),
  );
  if (resources.length === 0) return noSuchType(type.split('.', 1).join());
  for (const resource of resources) await ask(resource, target);
  return undefined;
}

function isFor({ cluster }: Target, member: Member): boolean {
  if (cluster === undefined) return true;
  const { name, aliases } = member.cluster;
  return name === cluster || aliases.includes(cluster);
}

function namespacesOf(
  { namespaced }: ApiResource,
  target: Target,
  { member, plan }: { readonly member: Member; readonly plan: GetPlan },
): readonly (string | undefined)[] {
  if (!namespaced) return [undefined];
  if (target.namespace !== undefined) return [target.namespace];
  if (plan.allNamespaces) {
    if (target.name !== undefined && target.glob === undefined) {
      throw new UsageError('a resource cannot be retrieved by name across all namespaces');
    }
    return [undefined];
  }
  return plan.namespaces.length > 0 ? plan.namespaces : [member.namespace];
}

/** A 404 about the object, not about a path that nobody serves. */
function isObjectMissing(error: unknown, { name, glob }: Target): boolean {
  return name !== undefined && glob === undefined && isNotFound(error) && !isPathMissing(error);
}

function isTypeMissing(error: unknown): boolean {
  if (isNotFound(error)) return isPathMissing(error);
  return error instanceof Error && error.message.startsWith(NO_SUCH_TYPE);
}

function isPathMissing(error: unknown): boolean {
  const { name, causes = [] } = statusErrorOf(error)?.details ?? {};
  return name === undefined || causes.some(({ reason }) => reason === 'UnexpectedServerResponse');
}
