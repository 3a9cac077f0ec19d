import type { ClusterRegistration } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { CREDENTIAL_TYPE_LABEL, ENDPOINT_TYPE_LABEL } from '../../cluster-secret/names.ts';
import type { Sourced } from './candidate.ts';
import { readClusterParts } from './read-cluster-parts.ts';
import { getSecret } from './read-secret-source.ts';
import type { SourceDeps } from './resolved-source.ts';
import { SourceProblem } from './source-problem.ts';

/** The names under which the Secret may be: the wanted one, and during a rename the one it still has. */
export function existingNames({ metadata, spec, status }: ClusterRegistration): string[] {
  const wanted = spec.clusterName ?? metadata.name ?? '';
  return [...new Set([wanted, status?.registeredName ?? wanted])];
}

/** Takes the cluster Secret that is in the gateway namespace already for the credential. */
export async function readExistingSource(
  deps: SourceDeps,
  registration: ClusterRegistration,
  signal: AbortSignal,
): Promise<Sourced> {
  const secret = await firstSecret(deps, existingNames(registration), signal);
  const shown = `${secret.metadata.namespace}/${secret.metadata.name}`;
  const { labels = {} } = secret.metadata;
  const type = labels[CREDENTIAL_TYPE_LABEL];
  if (type !== 'ServiceAccountToken' && type !== 'X509Certificate') {
    throw unsupported(
      shown,
      type === undefined
        ? `it is no cluster Secret, for it has no label ${CREDENTIAL_TYPE_LABEL}`
        : 'its credential is neither a ServiceAccountToken nor an X509Certificate; what a command makes cannot be adopted',
    );
  }
  if ((labels[ENDPOINT_TYPE_LABEL] ?? 'Const') !== 'Const') {
    throw unsupported(shown, `its label ${ENDPOINT_TYPE_LABEL} is not Const`);
  }
  return {
    reason: 'ExistingSecretResolved',
    description: `Secret ${shown}`,
    resourceVersion: secret.metadata.resourceVersion,
    candidate: readClusterParts(secret, type),
  };
}

async function firstSecret(
  deps: SourceDeps,
  [name = '', ...others]: readonly string[],
  signal: AbortSignal,
): Promise<Secret> {
  try {
    return await getSecret(deps, { namespace: deps.policy.gatewayNamespace, name }, signal);
  } catch (error) {
    const isMissing = error instanceof SourceProblem && error.reason === 'SecretNotFound';
    if (!isMissing || others.length === 0) throw error;
    return firstSecret(deps, others, signal);
  }
}

function unsupported(shown: string, state: string): SourceProblem {
  return new SourceProblem('UnsupportedTarget', `Cannot use Secret "${shown}": ${state}`);
}
