import type { Client } from '@flotilla/client';
import { fieldOf } from '../../../inventory/fields.ts';
import type { Hub } from '../../../inventory/hub.ts';
import type { InventoryDeps } from '../../../inventory/inventory-deps.ts';
import { type CheckResult, fail, ok, warn } from '../check.ts';

/** Whether the user may list the profiles of a hub where they are looked for. */
export async function permitted(
  client: Client,
  hub: Pick<Hub, 'namespace'>,
  deps: InventoryDeps,
): Promise<CheckResult> {
  const { namespaces } = deps.settings.hub;
  const isEverywhere = namespaces.length === 0 || namespaces.includes('*');
  const asked = isEverywhere ? [''] : namespaces;
  const answers = await Promise.all(asked.map((each) => mayList(client, each, deps)));
  const refused = asked.filter((_, index) => answers[index] !== true);
  if (refused.length === 0) {
    const where = isEverywhere ? 'all namespaces' : asked.join(', ');
    return ok(`you may list clusterprofiles in ${where}`);
  }
  if (!isEverywhere) {
    return fail(
      `you may not list clusterprofiles in ${refused.join(', ')}`,
      'ask the admins of the hub to let you',
    );
  }
  if (await mayList(client, hub.namespace, deps)) {
    return warn(
      `you may list clusterprofiles in namespace ${hub.namespace} only`,
      'name others with --hub-namespace if there are any',
    );
  }
  return fail(
    'you may not list clusterprofiles',
    'ask the admins of the hub to let you, or name the namespaces that you may list with --hub-namespace',
  );
}

/** An empty namespace is all of them. */
async function mayList(
  client: Client,
  namespace: string,
  { io, settings }: InventoryDeps,
): Promise<boolean> {
  const resourceAttributes = {
    verb: 'list',
    group: 'multicluster.x-k8s.io',
    resource: 'clusterprofiles',
    namespace,
  };
  const review = await client.raw({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
    signal: io.signal,
    timeoutMs: settings.execution.timeoutMs,
  });
  return fieldOf(fieldOf(review, 'status'), 'allowed') === true;
}
