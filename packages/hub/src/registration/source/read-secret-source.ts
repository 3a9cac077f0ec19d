import type { ClusterRegistration } from '@flotilla/api';
import { type Secret, Secrets } from '@flotilla/client';
import { isForbidden, isNotFound } from '@flotilla/machinery';
import { ALLOW_REGISTRATIONS_FROM_ANNOTATION } from '../../cluster-secret/names.ts';
import type { Sourced } from './candidate.ts';
import { readKubeconfig } from './read-kubeconfig.ts';
import type { SourceDeps } from './resolved-source.ts';
import { SourceProblem } from './source-problem.ts';

type SecretRef = NonNullable<ClusterRegistration['spec']['credentialSource']['secretRef']>;

/** Namespaces of others are not watched. */
const POLL_MS = 60_000;

/** Cluster API's key for a kubeconfig. */
const OTHER_KEY = 'value';

/** Reads the kubeconfig that a Secret holds, where the registration may read that Secret. */
export async function readSecretSource(
  deps: SourceDeps,
  asked: { readonly ref: SecretRef; readonly namespace: string },
  signal: AbortSignal,
): Promise<Sourced> {
  const { ref } = asked;
  const namespace = ref.namespace ?? asked.namespace;
  const place = { namespace, name: ref.name };
  const secret =
    namespace === asked.namespace || isOpenTo(deps, asked.namespace, namespace)
      ? await getSecret(deps, place, signal)
      : await getOptedIn(deps, { ...place, from: asked.namespace }, signal);
  const { key, text } = kubeconfigOf(secret, ref.key);
  return {
    reason: 'SecretResolved',
    description: `Secret ${namespace}/${ref.name}, key ${key}`,
    resourceVersion: secret.metadata.resourceVersion,
    candidate: await readKubeconfig(text, kubeconfigReading(deps, ref.context)),
  };
}

/** How a kubeconfig is read under a policy. */
export function kubeconfigReading({ policy, runExec }: SourceDeps, context: string | undefined) {
  const { allowInsecureTls, execProfiles } = policy;
  return {
    context,
    allowInsecureTls,
    allowsExec: execProfiles.length > 0 && runExec !== undefined,
  };
}

/** Only fleet administrators create registrations in the gateway namespace. */
function isOpenTo({ policy }: SourceDeps, from: string, namespace: string): boolean {
  const { gatewayNamespace, sourceNamespaces } = policy;
  return (
    from === gatewayNamespace &&
    (sourceNamespaces === 'all' || sourceNamespaces.includes(namespace))
  );
}

/** Reads a Secret of the registration's own reach. */
export async function getSecret(
  { client }: Pick<SourceDeps, 'client'>,
  place: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Secret> {
  try {
    return await client.get(Secrets, place, { signal });
  } catch (error) {
    const shown = `${place.namespace}/${place.name}`;
    if (isNotFound(error)) {
      throw new SourceProblem(
        'SecretNotFound',
        `Cannot find Secret "${shown}": it does not exist`,
        {
          isWaiting: true,
          retryAfterMs: POLL_MS,
        },
      );
    }
    if (isForbidden(error)) {
      throw new SourceProblem(
        'SecretNotFound',
        `Cannot read Secret "${shown}": the hub has no right to; give its service account get on Secrets in namespace "${place.namespace}"`,
        { isWaiting: true, retryAfterMs: POLL_MS },
      );
    }
    throw error;
  }
}

/** The answer is the same whether the Secret is missing or not meant for us: else it would tell what there is. */
async function getOptedIn(
  { client }: SourceDeps,
  { from, ...place }: { readonly namespace: string; readonly name: string; readonly from: string },
  signal: AbortSignal,
): Promise<Secret> {
  const denied = () =>
    new SourceProblem(
      'CrossNamespaceDenied',
      `Cannot read Secret "${place.namespace}/${place.name}": it is not in the namespace of the registration; move it there, or list "${from}" in its annotation ${ALLOW_REGISTRATIONS_FROM_ANNOTATION}`,
      { retryAfterMs: POLL_MS },
    );
  let secret: Secret;
  try {
    secret = await client.get(Secrets, place, { signal });
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) throw denied();
    throw error;
  }
  const allowed = secret.metadata.annotations?.[ALLOW_REGISTRATIONS_FROM_ANNOTATION] ?? '';
  if (allowed.split(',').some((namespace) => namespace.trim() === from)) return secret;
  throw denied();
}

function kubeconfigOf(secret: Secret, asked: string): { key: string; text: string } {
  const { data = {}, metadata } = secret;
  const key = [asked, OTHER_KEY].find((candidate) => Object.hasOwn(data, candidate));
  if (key === undefined) {
    throw new SourceProblem(
      'KeyNotFound',
      `Cannot find key "${asked}" in Secret "${metadata.namespace}/${metadata.name}": it has neither that nor "${OTHER_KEY}"`,
    );
  }
  return { key, text: Buffer.from(data[key] ?? '', 'base64').toString() };
}
