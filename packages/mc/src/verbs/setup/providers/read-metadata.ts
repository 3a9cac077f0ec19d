import { AccessError } from '../../../access/access-error.ts';
import {
  type ExecProposal,
  readExecProperties,
} from '../../../access/properties/exec-properties.ts';
import { isBuiltinTemplate } from '../../../access/trust/templates.ts';
import type { FleetCluster } from '../../../fleet/cluster.ts';
import { hostOf } from './detect-provider.ts';
import type { ProviderName, TemplateName } from './provider.ts';

/** What a command needs to know of a cluster, under the names of placeholders. */
export type CloudValues = Readonly<Record<string, string>>;

/** The command for a cluster and what it is told; or what is missing for it. */
export type Metadata =
  | { readonly template: Exclude<TemplateName, 'azureLogin'>; readonly values: CloudValues }
  | { readonly missing: readonly string[] };

/*
 * Profiles are written by others, and what they say becomes arguments here. Every value has the form that its cloud
 * gives it: none of these can be taken for a flag, a path, a URL, `@file` or `file://`.
 */
const SHAPES = {
  eksName: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
  awsRegion: /^[a-z]{2,}(?:-[a-z0-9]+){2,4}$/,
  awsProfile: /^[A-Za-z0-9_][A-Za-z0-9_.@+ -]{0,127}$/,
  awsRole: /^arn:aws[a-z-]*:iam::\d{12}:role\/[A-Za-z0-9_+=,.@/-]{1,512}$/,
  gkeName: /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  gcpLocation: /^(?:global|[a-z]+(?:-[a-z]+)+\d+(?:-[a-z])?)$/,
  gcpProject: /^(?:[a-z][a-z0-9.-]{0,60}:)?(?:[a-z][a-z0-9-]{4,28}[a-z0-9]|\d{6,20})$/,
  aksName: /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/,
  resourceGroup: /^[A-Za-z0-9_(](?:[A-Za-z0-9_().-]{0,88}[A-Za-z0-9_()-])?$/,
  subscription: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  ackId: /^c[a-z0-9]{16,40}$/,
} as const satisfies Record<string, RegExp>;

type Shape = keyof typeof SHAPES;

const NAME_KEYS = ['cloud.clusterName', 'cluster.name', 'cluster-name'];
const REGION_KEYS = [
  'cloud.region',
  'region',
  'region.open-cluster-management.io',
  'topology.kubernetes.io/region',
];
const LOCATION_KEYS = ['cloud.location', 'location', ...REGION_KEYS];
const PROJECT_KEYS = ['cloud.project', 'project', 'project-id', 'gcp.project'];
const GROUP_KEYS = ['cloud.resourceGroup', 'resourceGroup', 'resource-group'];
const SUBSCRIPTION_KEYS = ['cloud.subscription', 'subscription', 'subscription-id'];
const ACK_KEYS = ['cloud.clusterId', 'cluster.id', 'cluster-id', 'ack.aliyun.com'];

/** Gathers what the command of a cloud needs from what the user and the profile say; what is ill-formed counts as unsaid. */
export function readMetadata(cluster: FleetCluster, provider: ProviderName): Metadata {
  const source = sourceOf(cluster);
  const regions = [cluster.mapping?.region, ...source.said(REGION_KEYS), cluster.profile?.region];
  switch (provider) {
    case 'aws': {
      const { flags } = source;
      return complete('aws', ['name', 'region'], {
        name: pick('eksName', [flags.get('--cluster-name'), ...source.names]),
        region: pick('awsRegion', [flags.get('--region'), ...regions, regionOfEks(cluster)]),
        profile: pick('awsProfile', [flags.get('--profile')]),
        roleArn: pick('awsRole', [flags.get('--role-arn')]),
      });
    }
    case 'gcp': {
      const gateway = gatewayOf(cluster);
      if (gateway !== undefined) {
        return complete('gcpFleet', ['name', 'project'], {
          name: pick('gkeName', [gateway.membership]),
          location: pick('gcpLocation', [gateway.location]),
          project: pick('gcpProject', [...source.said(PROJECT_KEYS), gateway.project]),
        });
      }
      const locations = source.said(LOCATION_KEYS);
      return complete('gcp', ['name', 'location', 'project'], {
        name: pick('gkeName', source.names),
        location: pick('gcpLocation', [
          cluster.mapping?.region,
          ...locations,
          ...regions,
          regionOfGke(cluster),
        ]),
        project: pick('gcpProject', source.said(PROJECT_KEYS)),
      });
    }
    case 'azure':
      return complete('azure', ['name', 'resourceGroup'], {
        name: pick('aksName', source.names),
        resourceGroup: pick('resourceGroup', source.said(GROUP_KEYS)),
        subscription: pick('subscription', source.said(SUBSCRIPTION_KEYS)),
      });
    case 'ali':
      return complete('ali', ['clusterId'], {
        clusterId: pick('ackId', [...source.said(ACK_KEYS), cluster.profile?.name]),
      });
  }
}

interface Source {
  /** What properties and labels say under any of these keys. */
  readonly said: (keys: readonly string[]) => (string | undefined)[];
  /** What the cluster may be called in its cloud, the most likely first. */
  readonly names: readonly (string | undefined)[];
  /** Of the command by which the profile would log in, where that is one of the built-in ones. */
  readonly flags: ReadonlyMap<string, string>;
}

function sourceOf(cluster: FleetCluster): Source {
  const { properties, labels, profile, name } = cluster;
  const own = (pairs: Readonly<Record<string, string>>, key: string) =>
    Object.hasOwn(pairs, key) ? pairs[key] : undefined;
  const said = (keys: readonly string[]) =>
    keys.flatMap((key) => [own(properties, key), own(labels, key)]);
  const ocmName = own(labels, 'open-cluster-management.io/cluster-name');
  return {
    said,
    names: [...said(NAME_KEYS), ocmName, profile?.name, name],
    flags: loginFlags(cluster),
  };
}

function loginFlags({ properties }: FleetCluster): ReadonlyMap<string, string> {
  let proposal: ExecProposal | undefined;
  try {
    proposal = readExecProperties(properties);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
  }
  if (proposal?.command !== 'aws' || !isBuiltinTemplate(proposal)) return new Map();
  const flags = new Map<string, string>();
  for (const [index, arg] of proposal.args.entries()) {
    const [, flag = '', value = proposal.args[index + 1] ?? ''] =
      /^(--[a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (flag !== '') flags.set(flag, value);
  }
  return flags;
}

function pick(shape: Shape, candidates: readonly (string | undefined)[]): string | undefined {
  return candidates.find((each) => each !== undefined && SHAPES[shape].test(each));
}

function complete(
  template: Exclude<TemplateName, 'azureLogin'>,
  needed: readonly string[],
  found: Readonly<Record<string, string | undefined>>,
): Metadata {
  const missing = needed.filter((name) => found[name] === undefined);
  if (missing.length > 0) return { missing };
  const entries = Object.entries(found).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return { template, values: Object.fromEntries(entries) };
}

/** `https://ABC.gr7.us-west-2.eks.amazonaws.com`. */
function regionOfEks(cluster: FleetCluster): string | undefined {
  return hostPart(cluster, /\.([a-z0-9-]+)\.eks\.amazonaws\.com(?:\.cn)?$/);
}

/** `https://gke-abc-123.us-central1.gke.goog`. */
function regionOfGke(cluster: FleetCluster): string | undefined {
  return hostPart(cluster, /\.([a-z0-9-]+)\.gke\.goog$/);
}

function hostPart({ offers }: FleetCluster, pattern: RegExp): string | undefined {
  return offers.map(({ server }) => pattern.exec(hostOf(server))?.[1]).find(Boolean);
}

interface Gateway {
  readonly project: string;
  readonly location: string;
  readonly membership: string;
}

const GATEWAY_PATH =
  /\/projects\/([^/]+)\/locations\/([^/]+)\/(?:gkeMemberships|memberships)\/([^/]+)/;

/** A fleet's gateway, whose clusters are fetched by their membership. */
function gatewayOf({ offers }: FleetCluster): Gateway | undefined {
  for (const { server } of offers) {
    if (!/(?:^|[.-])connectgateway\.googleapis\.com$/.test(hostOf(server))) continue;
    const [, project, location, membership] = GATEWAY_PATH.exec(new URL(server).pathname) ?? [];
    if (project !== undefined && location !== undefined && membership !== undefined) {
      return { project, location, membership };
    }
  }
  return undefined;
}
