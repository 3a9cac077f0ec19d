import type { RegistrationDeps } from '../deps.ts';
import { secretChanges } from '../secret/secret-changes.ts';
import { wantedSecret } from '../secret/wanted-secret.ts';
import type { RegistrationPass } from '../types.ts';

/** Says that a registration is left alone, and once that its cluster Secret is not as it was left. */
export function reportSuspended(
  pass: RegistrationPass,
  deps: Pick<RegistrationDeps, 'secrets' | 'memory' | 'gatewayNamespace'>,
): void {
  const { registeredName, clusterInfo, credential } = pass.observed.status ?? {};
  const { said } = deps.memory.of(pass.observed.metadata.uid ?? '');
  pass.mark(
    'Suspended',
    'SuspendedBySpec',
    'spec.suspend is true: nothing is written and nobody looks at the member',
  );
  if (registeredName === undefined) return;
  const secret = deps.secrets.cached(registeredName);
  const wanted = wantedSecret(pass.observed, {
    namespace: deps.gatewayNamespace,
    name: registeredName,
    member: undefined,
    credentialType: clusterInfo?.credentialType,
    version: clusterInfo?.version,
  });
  const revision = secret?.metadata.annotations?.['multicluster.oam.dev/credential-revision'];
  const hasDrifted =
    secret === undefined ||
    revision !== credential?.revision ||
    secretChanges(secret, wanted).metadata !== undefined;
  if (!hasDrifted) {
    said.delete('DriftDetected');
    return;
  }
  if (said.has('DriftDetected')) return;
  said.add('DriftDetected');
  pass.event({
    type: 'Warning',
    reason: 'DriftDetected',
    action: 'Suspended',
    note: `Cluster Secret "${deps.gatewayNamespace}/${registeredName}" is not as it should be, and is left so while the registration is suspended`,
  });
}
