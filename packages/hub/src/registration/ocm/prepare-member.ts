import { Deployments, type Secret, Secrets } from '@flotilla/client';
import { isAlreadyExists, isNotFound, toYaml } from '@flotilla/machinery';
import { redact, type SecretValue } from '@flotilla/runtime';
import { OWNER_ANNOTATION, OWNER_UID_ANNOTATION } from '../../cluster-secret/names.ts';
import { isServed } from '../served-kinds.ts';
import { bootstrapToken, ensureNamespace } from './bootstrap-account.ts';
import { type HubAddress, hubAddress } from './hub-address.ts';
import { Klusterlets } from './kinds.ts';
import {
  AGENT_NAMESPACE,
  BOOTSTRAP_SECRET,
  EXPIRES_ANNOTATION,
  FIELD_MANAGER,
  HUB_ENDPOINT_ANNOTATION,
  KLUSTERLET,
  OCM_NAMESPACE,
} from './names.ts';
import { OcmProblem, PROGRAM_MS } from './ocm-problem.ts';
import type { OcmClient, OcmWanted } from './types.ts';

/** A token that ends sooner is replaced: agents may be slow to start. */
const EARLY_MS = 3600_000;

/**
 * Gives the member what its agent begins with, and asks the operator there for an agent. Says what is being waited for;
 * throws OcmProblem where a person has to help. An agent that belongs to somebody else is left alone.
 */
export async function prepareMember(
  { hub, member }: { hub: OcmClient; member: OcmClient | undefined },
  wanted: OcmWanted,
  signal: AbortSignal,
): Promise<string> {
  if (member === undefined) return 'nothing leads to the member yet';
  try {
    const hasOperator = await isServed(member, Klusterlets, signal);
    if (hasOperator) await checkKlusterlet(member, wanted.name, signal);
    // The Secret comes first, also where there is no operator: it is all that the operator's installation needs then.
    await ensureBootstrapSecret({ hub, member }, wanted, signal);
    if (!hasOperator) throw operatorMissing(wanted.name);
    await ensureKlusterlet(member, wanted.name, signal);
    return `its agent has what it needs in namespace ${AGENT_NAMESPACE} of the member`;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OcmProblem) throw error;
    const message = `Cannot prepare the member: ${(error as Error).message}`;
    throw new OcmProblem('WriteFailed', message, PROGRAM_MS);
  }
}

async function ensureBootstrapSecret(
  { hub, member }: { hub: OcmClient; member: OcmClient },
  wanted: OcmWanted,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace: AGENT_NAMESPACE, name: BOOTSTRAP_SECRET };
  const { owner, now } = wanted;
  const found = await orUndefined(member.get(Secrets, key, { signal }));
  const annotations = found?.metadata.annotations ?? {};
  const ours = `${owner.namespace}/${owner.name}`;
  if (found !== undefined && annotations[OWNER_ANNOTATION] !== ours) {
    throw new OcmProblem(
      'NotAdoptable',
      `The member has a Secret ${AGENT_NAMESPACE}/${BOOTSTRAP_SECRET} that is not ours: its agent belongs to another hub, or was begun by hand; delete the Secret there to join this hub`,
    );
  }
  const address = await hubAddress(hub, wanted, signal);
  const isUsable =
    Date.parse(annotations[EXPIRES_ANNOTATION] ?? '') - now().getTime() > EARLY_MS &&
    annotations[HUB_ENDPOINT_ANNOTATION] === address.server &&
    annotations[OWNER_UID_ANNOTATION] === owner.uid;
  if (isUsable) return;
  const { token, expiresAt } = await bootstrapToken(hub, wanted.name, signal);
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...key,
      annotations: {
        [OWNER_ANNOTATION]: ours,
        [OWNER_UID_ANNOTATION]: owner.uid,
        [EXPIRES_ANNOTATION]: expiresAt,
        [HUB_ENDPOINT_ANNOTATION]: address.server,
      },
    },
    type: 'Opaque',
    data: { kubeconfig: Buffer.from(bootstrapKubeconfig(address, token)).toString('base64') },
  };
  const options = { fieldManager: FIELD_MANAGER, signal };
  try {
    if (found === undefined) {
      await ensureNamespace(member, AGENT_NAMESPACE, signal);
      await member.create(Secrets, secret, options);
    } else {
      const { uid, resourceVersion } = found.metadata;
      const { annotations: marks } = secret.metadata;
      const body = { metadata: { uid, resourceVersion, annotations: marks }, data: secret.data };
      await member.patch(Secrets, key, { type: 'merge', body, ...options });
    }
  } catch (error) {
    // What a member's admission says may quote what it was given.
    const message = redact((error as Error).message, [token, ...Object.values(secret.data ?? {})]);
    throw new OcmProblem('WriteFailed', `Cannot prepare the member: ${message}`, PROGRAM_MS);
  }
}

/** A kubeconfig with the names that OCM's own importer uses. */
function bootstrapKubeconfig({ server, ca }: HubAddress, token: SecretValue): string {
  const authority =
    ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'hub', cluster: { server, ...authority } }],
    users: [{ name: 'bootstrap', user: { token: token.reveal() } }],
    contexts: [
      { name: 'bootstrap', context: { cluster: 'hub', user: 'bootstrap', namespace: 'default' } },
    ],
    'current-context': 'bootstrap',
  });
}

/** Throws where the member has an agent under another name. */
async function checkKlusterlet(
  member: OcmClient,
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await orUndefined(member.get(Klusterlets, { name: KLUSTERLET }, { signal }));
  const current = found?.spec?.clusterName ?? cluster;
  if (current === cluster) return;
  throw new OcmProblem(
    'NotAdoptable',
    `The agent of the member is registered as "${current}": delete the Klusterlet "${KLUSTERLET}" there to join it as "${cluster}"`,
  );
}

async function ensureKlusterlet(
  member: OcmClient,
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  if (
    (await orUndefined(member.get(Klusterlets, { name: KLUSTERLET }, { signal }))) !== undefined
  ) {
    return;
  }
  const imagePullSpec = await operatorImage(member, signal);
  const klusterlet = {
    apiVersion: 'operator.open-cluster-management.io/v1',
    kind: 'Klusterlet',
    metadata: { name: KLUSTERLET },
    spec: {
      clusterName: cluster,
      namespace: AGENT_NAMESPACE,
      deployOption: { mode: 'Singleton' },
      ...(imagePullSpec === undefined ? {} : { imagePullSpec }),
    },
  };
  try {
    await member.create(Klusterlets, klusterlet, { fieldManager: FIELD_MANAGER, signal });
  } catch (error) {
    // Made meanwhile; whether under our name is seen at the next look.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** In Singleton mode the agent runs the operator's own image, which is of the right version and registry. */
async function operatorImage(member: OcmClient, signal: AbortSignal): Promise<string | undefined> {
  const key = { namespace: OCM_NAMESPACE, name: KLUSTERLET };
  // Not being allowed to look is no reason not to join: the operator has an image of its own to fall back on.
  const operator = await member.get(Deployments, key, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  const template = operator?.spec?.['template'] as
    | { spec?: { containers?: { name: string; image?: string }[] } }
    | undefined;
  return template?.spec?.containers?.find(({ name }) => name === KLUSTERLET)?.image;
}

function operatorMissing(cluster: string): OcmProblem {
  return new OcmProblem(
    'AwaitingAcceptance',
    `The member has no Klusterlets (operator.open-cluster-management.io/v1): install the klusterlet operator there, such as with the Helm chart ocm/klusterlet and --set klusterlet.create=false, and the agent of "${cluster}" starts`,
  );
}

async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
