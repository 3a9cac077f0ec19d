import { TransportError } from '@flotilla/client';
import { statusErrorOf } from '@flotilla/machinery';
import { findCondition } from '@flotilla/runtime';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { brief } from '../brief.ts';
import { carry } from '../carry.ts';
import { ensureNamespace, type NamespaceResult } from '../member/ensure-namespace.ts';
import type { Visit } from '../visit.ts';

const TRUE = new Set<NamespaceResult['reason']>(['NamespaceExists', 'NamespaceCreated']);

/**
 * Sees to the namespace on the member where the spec asks for one: when it joins, when the spec or the credential
 * changes, and with every look as long as it failed. It never costs the cluster its registration.
 */
export async function keepNamespace(
  visit: Visit,
  {
    access,
    isAlive,
  }: {
    readonly access: MemberAccess | undefined;
    /** Whether the member answered in this pass; whoever does not is not asked again. */
    readonly isAlive: boolean;
  },
): Promise<void> {
  const { pass } = visit;
  const name = pass.observed.spec.config.createNamespace;
  if (name === '') {
    pass.unknown('NamespaceCreated', 'Disabled', 'spec.config.createNamespace is empty');
    return;
  }
  const known = findCondition(
    (pass.observed.status?.conditions ?? []) as never,
    'NamespaceCreated',
  );
  const isDone = known?.status === 'True' && !visit.isNewGeneration && visit.facts === undefined;
  if (isDone || !isAlive || access === undefined) {
    const message = `Namespace "${name}" was not looked for: the member has not answered`;
    carry(pass, { type: 'NamespaceCreated', status: 'Unknown', reason: 'NotAttempted', message });
    return;
  }
  let result: NamespaceResult;
  try {
    result = await ensureNamespace(visit.member(access).client, name, pass.signal);
  } catch (error) {
    pass.signal.throwIfAborted();
    // Whatever the member says, it is the member's; only what goes wrong here ends the pass.
    if (!(error instanceof TransportError) && statusErrorOf(error) === undefined) throw error;
    const message = `Cannot create namespace "${name}" on the member: ${(error as Error).message}`;
    result = { reason: 'CreateFailed', message: brief(message) };
  }
  if (!TRUE.has(result.reason)) pass.unmet('NamespaceCreated', result.reason, result.message);
  else if (known?.status === 'True' && known.message.includes(`"${name}"`)) {
    // That it was we who made it stays known.
    carry(pass, { ...known, type: 'NamespaceCreated' });
  } else pass.mark('NamespaceCreated', result.reason, result.message);
}
