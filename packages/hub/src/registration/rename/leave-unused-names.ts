import { type Secret, Secrets } from '@flotilla/client';
import { isConflict, isNotFound } from '@flotilla/machinery';
import { OWNER_UID_ANNOTATION } from '../../cluster-secret/names.ts';
import { isWrittenAs } from '../secret/wanted-secret.ts';
import type { Visit } from '../visit.ts';

/**
 * Takes away what a name that is not wanted any more has left: whoever wrote the Secret died before it was in the status,
 * and by the time of the next pass the spec has another name. The mark says under which name we wrote a Secret, so a copy
 * that somebody made is not taken for one of these. What something uses stays for as long as it does.
 */
export async function leaveUnusedNames(visit: Visit, ours: readonly string[]): Promise<void> {
  const { pass, deps } = visit;
  for (const seen of deps.secrets.markedBy(pass.observed.metadata.uid ?? '')) {
    const { name = '' } = seen.metadata;
    if (ours.includes(name) || !isWrittenAs(seen, name)) continue;
    const secret = await live(visit, name);
    if (secret === undefined) continue;
    const references = await deps.clusterReferences(name, pass.signal);
    if (references.length > 0) tellKept(visit, { name, references });
    else await take(visit, secret);
  }
}

/** The Secret as the server has it, if it still is ours: the watch may be behind. */
async function live({ pass, deps }: Visit, name: string): Promise<Secret | undefined> {
  const key = { namespace: deps.gatewayNamespace, name };
  try {
    const secret = await deps.hubClient.get(Secrets, key, { signal: pass.signal });
    const owner = secret.metadata.annotations?.[OWNER_UID_ANNOTATION];
    const isOurs = owner === pass.observed.metadata.uid && isWrittenAs(secret, name);
    return isOurs ? secret : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function take({ pass, deps }: Visit, { metadata }: Secret): Promise<void> {
  const { namespace, name = '', uid = '', resourceVersion = '' } = metadata;
  const options = { preconditions: { uid, resourceVersion }, signal: pass.signal };
  try {
    await deps.hubClient.delete(Secrets, { namespace, name }, options);
  } catch (error) {
    // Somebody else has it now, or has taken it away.
    if (isNotFound(error) || isConflict(error)) return;
    throw error;
  }
  pass.event({
    reason: 'UnusedSecretDeleted',
    action: 'Rename',
    note: `Deleted cluster Secret "${namespace}/${name}": the cluster was to have that name, and has another`,
  });
}

function tellKept(
  { pass, deps, remembered }: Visit,
  { name, references }: { readonly name: string; readonly references: readonly string[] },
): void {
  const topic = `UnusedSecretKept ${name}`;
  if (remembered.said.has(topic)) return;
  remembered.said.add(topic);
  pass.event({
    type: 'Warning',
    reason: 'UnusedSecretKept',
    action: 'Rename',
    note: `Cannot delete cluster Secret "${deps.gatewayNamespace}/${name}", which is of no use to this registration any more: it is named by ${references.join(', ')}`,
  });
}
