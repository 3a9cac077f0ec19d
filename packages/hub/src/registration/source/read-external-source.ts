import type { ClusterRegistration } from '@flotilla/api';
import { type Secret, Secrets } from '@flotilla/client';
import { isForbidden, isNotFound } from '@flotilla/machinery';
import type { Sourced } from './candidate.ts';
import { type ExternalSecret, getExternalSecret, getSecretStore } from './external-secret.ts';
import { readClusterParts } from './read-cluster-parts.ts';
import { readKubeconfig } from './read-kubeconfig.ts';
import { kubeconfigReading } from './read-secret-source.ts';
import type { SourceDeps, SourceRead, SourceWarning } from './resolved-source.ts';
import { SourceProblem } from './source-problem.ts';

type ExternalSecretRef = NonNullable<
  ClusterRegistration['spec']['credentialSource']['externalSecretRef']
>;

/** How long to wait for an operator that somebody may be about to install. */
const REDISCOVER_MS = 5 * 60_000;
const POLL_MS = 60_000;

/** A source that somebody else keeps fresh. */
export interface ExternalSourced extends Sourced {
  /** What the operator does, for whoever knows how long the credential lasts. */
  readonly object: ExternalSecret;
  readonly reads: readonly SourceRead[];
}

/** Reads the Secret that an ExternalSecret makes. */
export async function readExternalSource(
  deps: SourceDeps,
  asked: { readonly ref: ExternalSecretRef; readonly namespace: string },
  signal: AbortSignal,
): Promise<ExternalSourced> {
  const { ref, namespace } = asked;
  const reads: SourceRead[] = [{ kind: 'ExternalSecret', namespace, name: ref.name }];
  try {
    const found = await findExternalSecret(deps, { namespace, name: ref.name }, signal);
    const target = targetOf(found.object, ref.name);
    reads.push({ kind: 'Secret', namespace, name: target });
    checkReady(found.object, { namespace, name: ref.name });
    const secret = await getTarget(deps, { namespace, name: target }, signal);
    const candidate = await candidateOf(deps, secret, ref.key);
    const warnings = await providerWarnings(deps, { ref, ...found }, signal);
    return {
      reason: 'ExternalSecretResolved',
      description: `ExternalSecret ${namespace}/${ref.name}, Secret ${namespace}/${target}${ref.key === '' ? '' : `, key ${ref.key}`}`,
      resourceVersion: secret.metadata.resourceVersion,
      candidate: { ...candidate, warnings: [...candidate.warnings, ...warnings] },
      object: found.object,
      reads,
    };
  } catch (error) {
    if (error instanceof SourceProblem) throw error.withReads(reads);
    throw error;
  }
}

async function findExternalSecret(
  { client }: SourceDeps,
  place: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<{ object: ExternalSecret; version: string }> {
  const shown = `${place.namespace}/${place.name}`;
  const found = await getExternalSecret(client, place, signal).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    throw waiting(
      'ExternalSecretNotFound',
      `Cannot read ExternalSecret "${shown}": the hub has no right to; give its service account get on externalsecrets in namespace "${place.namespace}"`,
    );
  });
  switch (found.state) {
    case 'found':
      return found;
    case 'not found':
      throw waiting(
        'ExternalSecretNotFound',
        `Cannot find ExternalSecret "${shown}": it does not exist`,
      );
    case 'not installed':
      throw new SourceProblem(
        'ExternalSecretsNotInstalled',
        'Cannot read ExternalSecrets: the hub does not serve external-secrets.io; install the External Secrets Operator, or use secretRef',
        { isWaiting: true, retryAfterMs: REDISCOVER_MS },
      );
  }
}

function targetOf({ spec, status }: ExternalSecret, name: string): string {
  const { target } = spec ?? {};
  if (target?.creationPolicy === 'None') {
    throw new SourceProblem(
      'UnsupportedTarget',
      `Cannot use ExternalSecret "${name}": its target has creationPolicy None, so that there is no Secret of its own`,
    );
  }
  if (target?.manifest !== undefined && target.manifest !== null) {
    throw new SourceProblem(
      'UnsupportedTarget',
      `Cannot use ExternalSecret "${name}": its target is no Secret; leave out spec.target.manifest`,
    );
  }
  return status?.binding?.name || target?.name || name;
}

function checkReady(
  { status }: ExternalSecret,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): void {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return;
  // The reason is a word of the operator's; its message may quote the store.
  const why = /^[A-Za-z]{1,64}$/.test(ready?.reason ?? '') ? ` (${ready?.reason})` : '';
  throw waiting(
    'ExternalSecretNotReady',
    `Cannot use ExternalSecret "${namespace}/${name}": it is not ready${why}; its own status tells more`,
  );
}

/** Ready may be true for a while after the Secret is gone. */
async function getTarget(
  { client }: SourceDeps,
  place: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Secret> {
  try {
    return await client.get(Secrets, place, { signal });
  } catch (error) {
    const shown = `${place.namespace}/${place.name}`;
    if (isNotFound(error)) {
      throw waiting(
        'TargetSecretMissing',
        `Cannot find Secret "${shown}": the ExternalSecret is ready, but its target is gone`,
      );
    }
    if (isForbidden(error)) {
      throw waiting(
        'TargetSecretMissing',
        `Cannot read Secret "${shown}": the hub has no right to; give its service account get on Secrets in namespace "${place.namespace}"`,
      );
    }
    throw error;
  }
}

async function candidateOf(deps: SourceDeps, secret: Secret, key: string) {
  if (key === '') return readClusterParts(secret, 'whichever');
  const { data = {}, metadata } = secret;
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (value === undefined) {
    throw new SourceProblem(
      'KeyNotFound',
      `Cannot find key "${key}" in Secret "${metadata.namespace}/${metadata.name}": the ExternalSecret does not make it`,
    );
  }
  const text = Buffer.from(value, 'base64').toString();
  return readKubeconfig(text, kubeconfigReading(deps, undefined));
}

/** Words by which people mean a provider of the operator's. */
const PROVIDER_WORDS: Readonly<Record<string, readonly string[]>> = {
  aws: ['aws', 'amazon'],
  azurekv: ['azure'],
  gcpsm: ['gcp', 'google'],
  vault: ['vault', 'hashicorp'],
  kubernetes: ['kubernetes', 'k8s'],
};

/** Where the store is of another provider than the registration says, somebody is wrong; nothing depends on it. */
async function providerWarnings(
  { client }: SourceDeps,
  found: {
    readonly ref: ExternalSecretRef;
    readonly object: ExternalSecret;
    readonly version: string;
  },
  signal: AbortSignal,
): Promise<SourceWarning[]> {
  const said = found.ref.provider?.toLowerCase().trim() ?? '';
  if (said === '') return [];
  const store = await getSecretStore(client, found, signal);
  const [provider] = Object.keys(store?.spec?.provider ?? {});
  if (provider === undefined || !/^[a-z0-9]{1,40}$/i.test(provider)) return [];
  const words = PROVIDER_WORDS[provider] ?? [provider.toLowerCase()];
  if (words.some((word) => said.includes(word)) || provider.toLowerCase().includes(said)) return [];
  return [
    {
      reason: 'ProviderMismatch',
      message: `The store of ExternalSecret "${found.ref.name}" is of provider "${provider}", which is not the one in spec.credentialSource.externalSecretRef.provider`,
    },
  ];
}

function waiting(
  reason: 'ExternalSecretNotFound' | 'ExternalSecretNotReady' | 'TargetSecretMissing',
  message: string,
): SourceProblem {
  return new SourceProblem(reason, message, { isWaiting: true, retryAfterMs: POLL_MS });
}
