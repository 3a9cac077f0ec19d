import { type KubeObject, notFound, parseJson, StatusError } from '@flotilla/machinery';
import type { Clock } from '../../clock.ts';
import type { Container } from '../../kinds/workloads/container-types.ts';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import type { Volume } from '../../kinds/workloads/volume-types.ts';
import type { Admission } from '../../objects/engine.ts';
import type { Store, Tenant } from '../../storage/store.ts';
import { refuse } from '../refuse.ts';
import { podOf } from './pod-of.ts';
import { secretProblem, secretsOf } from './secret-references.ts';

/** What a pod takes over from its service account. */
export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

/** What the plug-in needs. */
export interface ServiceAccountDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Makes a name of the prefix, as generateName does. */
  readonly generateName: (prefix: string) => string;
}

const MIRROR = 'kubernetes.io/config.mirror';
const ENFORCE = 'kubernetes.io/enforce-mountable-secrets';
const DEFAULT = 'default';
const TOKEN_VOLUME = 'kube-api-access-';
const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** A year and seven seconds, by which kubelets know tokens that were not asked for. */
const TOKEN_SECONDS = 3607;
/** The default account of a new namespace is made by a controller: a pod may come a moment before it. */
const DEFAULT_WAIT_MS = 2000;

/** Gives every pod an account and the account's token, and refuses pods whose account does not exist. */
export function createServiceAccount(deps: ServiceAccountDeps) {
  const accountOf = async (admission: Admission, name: string): Promise<ServiceAccount> => {
    const { tenant, namespace } = admission;
    const found =
      find(deps.store, tenant, `${namespace}/${name}`) ??
      (name === DEFAULT ? await appeared(deps, tenant, `${namespace}/${name}`) : undefined);
    if (found !== undefined) return found;
    const { message } = notFound({ group: '', resource: 'serviceaccount' }, name);
    throw refuse(admission, `error looking up service account ${namespace}/${name}: ${message}`);
  };

  const checkMirror = (pod: Pod, admission: Admission): void => {
    if ((pod.spec.serviceAccountName ?? '') !== '') {
      throw refuse(admission, 'a mirror pod may not reference service accounts');
    }
    if (secretsOf(pod).length > 0) {
      throw refuse(admission, 'a mirror pod may not reference secrets');
    }
    const projections = (pod.spec.volumes ?? []).flatMap(
      ({ projected }) => projected?.sources ?? [],
    );
    if (projections.some((source) => 'serviceAccountToken' in source)) {
      throw refuse(admission, 'a mirror pod may not use ServiceAccountToken volume projections');
    }
  };

  /** The account of a pod that must have one, and whose Secrets the pod must keep to. */
  const checkAccount = async (pod: Pod, admission: Admission): Promise<void> => {
    const name = pod.spec.serviceAccountName ?? '';
    if (name === '') {
      const place = `${admission.namespace}/${pod.metadata.name ?? ''}`;
      throw refuse(admission, `no service account specified for pod ${place}`);
    }
    const account = await accountOf(admission, name);
    if (!isTrue(account.metadata.annotations?.[ENFORCE])) return;
    const problem = secretProblem(pod, account, admission.subresource);
    if (problem === undefined) return;
    // Upstream forgets to word this one as a refusal.
    if (admission.subresource !== '') throw new StatusError(500, 'InternalError', problem);
    throw refuse(admission, problem);
  };

  const validate = async (admission: Admission): Promise<void> => {
    const created = podOf(admission, ['CREATE']);
    if (created !== undefined && isMirror(created)) return checkMirror(created, admission);
    const pod = created ?? podOf(admission, ['UPDATE'], ['ephemeralcontainers']);
    if (pod !== undefined) await checkAccount(pod, admission);
  };

  return {
    validate,
    mutate: async (admission: Admission): Promise<void> => {
      const pod = podOf(admission, ['CREATE']);
      if (pod === undefined) return;
      // Told before the kind itself finds fault, as upstream does.
      if (isMirror(pod)) return validate(admission);
      const { spec } = pod;
      if ((spec.serviceAccountName ?? '') === '') {
        spec.serviceAccountName = DEFAULT;
        // Its former name; webhooks see the pod before it is brought into its stored form.
        spec.serviceAccount = DEFAULT;
      }
      const account = await accountOf(admission, spec.serviceAccountName ?? '');
      const automount =
        spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
      if (automount) mountToken(pod, deps.generateName);
      if ((spec.imagePullSecrets ?? []).length === 0 && account.imagePullSecrets !== undefined) {
        spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => ({ name }));
      }
      await checkAccount(pod, admission);
    },
  };
}

function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, MIRROR);
}

/** What Go's strconv.ParseBool takes for true. */
function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text);
}

function find(store: Store, tenant: Tenant, place: string): ServiceAccount | undefined {
  const entry = store.read(tenant, `core/serviceaccounts/${place}`);
  if (entry === undefined) return undefined;
  return parseJson(entry.value, { strict: false }).value as unknown as ServiceAccount;
}

/** Waits a moment for an account that is about to be made. */
function appeared(
  { store, clock }: ServiceAccountDeps,
  tenant: Tenant,
  place: string,
): Promise<ServiceAccount | undefined> {
  return new Promise((resolve) => {
    const finish = (): void => {
      subscription[Symbol.dispose]();
      cancel();
      resolve(find(store, tenant, place));
    };
    const key = `core/serviceaccounts/${place}`;
    const subscription = store.changes((changes) => {
      if (changes.some((change) => change.tenant === tenant && change.key === key)) finish();
    });
    const cancel = clock.after(DEFAULT_WAIT_MS, finish);
  });
}

function mountToken({ spec }: Pod, generateName: (prefix: string) => string): void {
  const present = spec.volumes?.find(({ name }) => name.startsWith(TOKEN_VOLUME));
  const name = present?.name ?? generateName(TOKEN_VOLUME);
  let isNeeded = false;
  const mount = (container: Container): void => {
    const mounts = container.volumeMounts ?? [];
    if (mounts.some(({ mountPath }) => mountPath === TOKEN_PATH)) return;
    container.volumeMounts = [...mounts, { name, readOnly: true, mountPath: TOKEN_PATH }];
    isNeeded = true;
  };
  for (const container of spec.initContainers ?? []) mount(container);
  for (const container of spec.containers ?? []) mount(container);
  if (present === undefined && isNeeded)
    spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: TOKEN_SECONDS } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [
              {
                path: 'namespace',
                fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
              },
            ],
          },
        },
      ],
    },
  };
}
