import { type Client, Namespaces } from '@flotilla/client';
import { isAlreadyExists, isForbidden, isNotFound } from '@flotilla/machinery';
import { brief } from '../brief.ts';
import type { ReasonFor } from '../conditions.ts';

/** Where the namespace on the member stands, in the words of its condition. */
export interface NamespaceResult {
  readonly reason: ReasonFor<'NamespaceCreated', 'True'> | ReasonFor<'NamespaceCreated', 'False'>;
  readonly message: string;
}

/**
 * Sees to it that a member has a namespace. Whoever else makes it first has done the same; only errors of the
 * connection are thrown.
 */
export async function ensureNamespace(
  client: Pick<Client, 'get' | 'create'>,
  name: string,
  signal: AbortSignal,
): Promise<NamespaceResult> {
  const found = await phaseOf(client, name, signal);
  if (found === 'Terminating') return terminating(name);
  if (found !== undefined) return exists(name);
  try {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await client.create(Namespaces, namespace, { signal });
    return { reason: 'NamespaceCreated', message: `Created namespace "${name}" on the member` };
  } catch (error) {
    if (isAlreadyExists(error)) {
      const phase = await phaseOf(client, name, signal);
      return phase === 'Terminating' ? terminating(name) : exists(name);
    }
    if (isForbidden(error)) {
      return {
        reason: 'Forbidden',
        message: `Cannot create namespace "${name}" on the member: its credential may not; create it there, allow it, or set spec.config.createNamespace to ""`,
      };
    }
    if ((error as { code?: unknown }).code === undefined) throw error;
    const message = `Cannot create namespace "${name}" on the member: ${(error as Error).message}`;
    return { reason: 'CreateFailed', message: brief(message) };
  }
}

/** Undefined where there is none, or nobody may know. */
async function phaseOf(
  client: Pick<Client, 'get'>,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { status } = await client.get(Namespaces, { name }, { signal });
    return status?.phase ?? 'Active';
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

function exists(name: string): NamespaceResult {
  return { reason: 'NamespaceExists', message: `Namespace "${name}" is on the member` };
}

function terminating(name: string): NamespaceResult {
  return {
    reason: 'NamespaceTerminating',
    message: `Cannot use namespace "${name}" on the member: it is being deleted`,
  };
}
