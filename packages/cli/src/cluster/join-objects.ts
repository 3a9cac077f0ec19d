import {
  type ClusterRegistration,
  type ClusterRegistrationSpecInput,
  ClusterRegistrations,
} from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { apiVersionOf, toYaml } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import type { FleetCluster } from './fleet.ts';
import type { HubSession } from './hub-session.ts';
import type { MemberKubeconfig } from './member-kubeconfig.ts';
import { parseLabels } from './parse-labels.ts';

/** Marks the Secrets that `join` made, so that it knows them again. */
export const JOINED_LABEL = 'multicluster.oam.dev/joined-by';

/** The flags of `join`. */
export interface JoinFlags {
  readonly name?: string;
  readonly engine?: string;
  readonly createNamespace?: string;
  readonly inClusterBootstrap?: boolean;
  readonly labels?: string;
  readonly alias?: string;
  readonly memberContext?: string;
  /** Runs the credential plugin of the kubeconfig now and keeps its token. */
  readonly staticToken?: boolean;
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly yes?: boolean;
}

/** The registration of a cluster; what is there already keeps its place. */
export function registrationFor(
  hub: HubSession,
  {
    name,
    existing,
    flags,
  }: {
    readonly name: string;
    readonly member: MemberKubeconfig;
    readonly existing: FleetCluster | undefined;
    readonly flags: JoinFlags;
  },
): ClusterRegistration {
  const known = existing?.registration?.metadata;
  const namespace = known?.namespace ?? hub.namespace;
  const objectName = known?.name ?? name;
  const config = {
    ...(flags.createNamespace === undefined ? {} : { createNamespace: flags.createNamespace }),
    ...(flags.inClusterBootstrap === true ? { inClusterBootstrap: true } : {}),
  };
  const spec: ClusterRegistrationSpecInput = {
    clusterName: name,
    ...(flags.alias === undefined ? {} : { alias: flags.alias }),
    credentialSource: { secretRef: { name: `${objectName}-kubeconfig` } },
    ...(flags.engine === undefined ? {} : { engine: engineOf(flags.engine) }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    // Whoever overwrites a joined cluster means it, wherever it led before.
    ...(existing?.source === 'secret' ? { adoptionPolicy: 'IfUnmanaged' as const } : {}),
    ...(flags.labels === undefined || flags.labels === ''
      ? {}
      : { labels: parseLabels(flags.labels) }),
  };
  return {
    apiVersion: apiVersionOf(ClusterRegistrations),
    kind: ClusterRegistrations.kind,
    metadata: { namespace, name: objectName },
    spec: spec as ClusterRegistration['spec'],
  };
}

function engineOf(engine: string): 'cluster-gateway' | 'ocm' {
  if (engine === 'cluster-gateway' || engine === 'ocm') return engine;
  throw new UsageError(`Cannot use engine "${engine}": there are cluster-gateway and ocm`);
}

/** The Secret that holds the kubeconfig. */
export function sourceSecret(
  { metadata }: ClusterRegistration,
  { text }: MemberKubeconfig,
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace: metadata.namespace ?? '',
      name: `${metadata.name ?? ''}-kubeconfig`,
      labels: { [JOINED_LABEL]: 'flotilla' },
    },
    type: 'Opaque',
    data: { kubeconfig: Buffer.from(text).toString('base64') },
  };
}

/** The kubeconfig goes when its registration goes. */
export function owned(secret: Secret, registration: ClusterRegistration): Secret {
  const { name = '', uid = '' } = registration.metadata;
  return {
    ...secret,
    metadata: {
      ...secret.metadata,
      ownerReferences: [
        {
          apiVersion: apiVersionOf(ClusterRegistrations),
          kind: ClusterRegistrations.kind,
          name,
          uid,
        },
      ],
    },
  };
}

/** The objects as text. */
export function printed(objects: readonly object[], output: string): string {
  if (output === 'yaml') return objects.map((each) => toYaml(each)).join('---\n');
  if (output === 'json') {
    return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`;
  }
  throw new UsageError(`Cannot print as "${output}": there are yaml and json`);
}
