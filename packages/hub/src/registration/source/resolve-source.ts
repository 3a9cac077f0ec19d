import type { ClusterRegistration } from '@flotilla/api';
import type { Sourced } from './candidate.ts';
import { refreshTime } from './expiry.ts';
import { placeOf, tlsWarnings } from './member-place.ts';
import { existingNames, readExistingSource } from './read-existing-source.ts';
import { readExternalSource } from './read-external-source.ts';
import { readInlineSource } from './read-inline-source.ts';
import { readSecretSource } from './read-secret-source.ts';
import type { ResolvedSource, SourceDeps, SourceRead } from './resolved-source.ts';
import { SourceProblem } from './source-problem.ts';
import { authorityWarnings, refreshWarnings } from './source-warnings.ts';
import { usableCredential } from './usable-credential.ts';

export type {
  ResolvedSource,
  SourceDeps,
  SourceFault,
  SourceFound,
  SourcePolicy,
  SourceRead,
  SourceWarning,
} from './resolved-source.ts';
export { SourceProblem } from './source-problem.ts';

/**
 * Gets the credential that a registration names, and judges whether it may be used at all. Nothing is dialled, no file is
 * opened, and no command runs that an exec profile does not allow. Throws SourceProblem; anything else is the hub's API
 * server failing, and worth another try.
 */
export async function resolveSource(
  deps: SourceDeps,
  registration: ClusterRegistration,
  signal: AbortSignal,
): Promise<ResolvedSource> {
  let reads = readsOf(deps, registration);
  try {
    const sourced = await readSource(deps, registration, signal);
    reads = sourced.reads ?? reads;
    const { candidate, reason, description, resourceVersion } = sourced;
    const place = await placeOf(deps, candidate, signal);
    const { credential, lifetime, warnings } = await usableCredential(
      deps,
      { candidate, endpoint: place.endpoint, registration },
      signal,
    );
    const now = deps.now();
    return {
      member: { ...place, credential },
      reason,
      description,
      resourceVersion,
      ...lifetime,
      refreshAt: refreshTime(lifetime, now),
      warnings: [
        ...candidate.warnings,
        ...tlsWarnings(place),
        ...authorityWarnings(place.ca ?? '', now),
        ...warnings,
        ...(sourced.object === undefined ? [] : refreshWarnings(sourced.object, lifetime)),
      ],
      reads,
    };
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    throw error.reads.length > 0 ? error : error.withReads(reads);
  }
}

/** What the source is read from, as far as the registration itself says. */
function readsOf({ policy }: SourceDeps, registration: ClusterRegistration): readonly SourceRead[] {
  const { secretRef, externalSecretRef, existingSecret } = registration.spec.credentialSource;
  const { namespace = '' } = registration.metadata;
  if (secretRef !== undefined) {
    return [{ kind: 'Secret', namespace: secretRef.namespace ?? namespace, name: secretRef.name }];
  }
  if (externalSecretRef !== undefined) {
    return [{ kind: 'ExternalSecret', namespace, name: externalSecretRef.name }];
  }
  if (existingSecret === undefined) return [];
  return existingNames(registration).map((name) => ({
    kind: 'Secret',
    namespace: policy.gatewayNamespace,
    name,
  }));
}

type AnySourced = Sourced & Partial<Awaited<ReturnType<typeof readExternalSource>>>;

async function readSource(
  deps: SourceDeps,
  registration: ClusterRegistration,
  signal: AbortSignal,
): Promise<AnySourced> {
  const { secretRef, inline, externalSecretRef } = registration.spec.credentialSource;
  const { namespace = '' } = registration.metadata;
  if (secretRef !== undefined) return readSecretSource(deps, { ref: secretRef, namespace }, signal);
  if (inline !== undefined) return readInlineSource(inline);
  if (externalSecretRef !== undefined) {
    return readExternalSource(deps, { ref: externalSecretRef, namespace }, signal);
  }
  return readExistingSource(deps, registration, signal);
}
