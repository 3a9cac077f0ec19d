import type { FlagSpec } from './flag.ts';

/** Flags that every verb has, in the groups of help. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly FlagSpec[];
}

const selection: readonly FlagSpec[] = [
  {
    name: 'clusters',
    kind: 'lines',
    value: 'PATTERN,...',
    help: 'Clusters by name, namespace/name, display name or alias; * ? [..] {a,b} and /regexp/ match several',
  },
  {
    name: 'exclude',
    kind: 'lines',
    value: 'PATTERN,...',
    help: 'Clusters to leave out, written as for --clusters',
  },
  {
    name: 'cluster-selector',
    kind: 'text',
    value: 'SELECTOR',
    help: "Labels of clusters, such as 'env=prod,tier in (a,b),!legacy'",
  },
  {
    name: 'property',
    kind: 'lines',
    value: 'NAME=PATTERN',
    help: 'Clusters whose profile has this property; may be repeated',
  },
  { name: 'clusterset', kind: 'text', value: 'NAME', help: 'Clusters of this set' },
  { name: 'manager', kind: 'text', value: 'NAME', help: 'Clusters of this cluster manager' },
  {
    name: 'placement',
    kind: 'text',
    value: '[NAMESPACE/]NAME',
    help: 'Clusters that a placement has decided for, by its name or decision key',
  },
  {
    name: 'group',
    kind: 'texts',
    value: 'NAME,...',
    help: 'A selection that is saved in the config file',
  },
  { name: 'all-clusters', kind: 'bool', help: 'Every cluster there is, said aloud' },
  { name: 'pick', kind: 'bool', help: 'Choose clusters from a list on the terminal' },
];

const hub: readonly FlagSpec[] = [
  {
    name: 'hub-context',
    kind: 'texts',
    value: 'CONTEXT,...',
    help: "Context of the hub (the mapping file's hubContext, else the current one)",
  },
  { name: 'hub-kubeconfig', kind: 'text', value: 'PATH', help: 'Kubeconfig of the hub' },
  {
    name: 'hub-namespace',
    kind: 'texts',
    value: 'NAMESPACE,...',
    help: "Where the hub keeps profiles ('*', all of them)",
  },
  {
    name: 'inventory',
    kind: 'text',
    value: 'API',
    help: 'Where clusters are looked up: clusterprofile, inventory, about, kubeconfig or file:PATH (clusterprofile)',
  },
  {
    name: 'provider-file',
    kind: 'text',
    value: 'PATH',
    help: 'Access providers (~/.kube/clusterprofile-providers.json or .yaml)',
  },
  { name: 'refresh', kind: 'bool', help: 'Ask the hub even if what it said is still fresh' },
  { name: 'no-cache', kind: 'bool', help: 'Neither read nor write what the hub said' },
];

const execution: readonly FlagSpec[] = [
  { name: 'concurrency', kind: 'integer', value: 'N', help: 'Clusters asked at once (10)' },
  {
    name: 'cluster-timeout',
    aliases: ['timeout'],
    kind: 'duration',
    value: 'DURATION',
    help: 'For one cluster, from when its turn comes (30s)',
  },
  {
    name: 'connect-timeout',
    kind: 'duration',
    value: 'DURATION',
    help: 'For reaching one cluster, TLS included (5s)',
  },
  {
    name: 'deadline',
    kind: 'duration',
    value: 'DURATION',
    help: 'For everything (60s, or 5s for each cluster, or what the turns need)',
  },
  {
    name: 'retries',
    kind: 'integer',
    value: 'N',
    help: 'How often a read is repeated (1)',
  },
  {
    name: 'unhealthy',
    kind: 'text',
    value: 'HOW',
    choices: ['try', 'last', 'skip'],
    help: 'What is done with clusters that the hub calls unhealthy: try, last or skip (last)',
  },
  { name: 'fail-fast', kind: 'bool', help: 'Start no more clusters after the first failure' },
  {
    name: 'allow-partial',
    kind: 'bool',
    help: 'Exit code 0 when only some clusters failed, instead of 3',
  },
  {
    name: 'require-all',
    kind: 'bool',
    help: 'What a cluster does not have is a failure of that cluster',
  },
];

const output: readonly FlagSpec[] = [
  {
    name: 'cluster-column',
    kind: 'text',
    value: 'WHERE',
    choices: ['first', 'after-name', 'none'],
    help: 'Where tables show the cluster: first, after-name or none (after-name)',
  },
  { name: 'stream', kind: 'bool', help: 'Print what a cluster answers as it comes' },
  {
    name: 'color',
    kind: 'text',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    help: 'Colour: auto, always or never (auto)',
  },
  {
    name: 'progress',
    kind: 'text',
    value: 'WHEN',
    choices: ['auto', 'none'],
    help: 'How far it is, on a terminal: auto or none (auto)',
  },
  {
    name: 'v',
    short: 'v',
    kind: 'integer',
    bare: '1',
    value: 'N',
    help: 'How much is told: 1 causes and timings, 6 requests, 8 headers, 9 bodies (0)',
  },
  { name: 'help', short: 'h', kind: 'bool', help: 'Help for a command' },
];

const kubectl: readonly FlagSpec[] = [
  { name: 'kubeconfig', kind: 'text', value: 'PATH', help: 'Kubeconfig of hub and clusters' },
  {
    name: 'context',
    kind: 'text',
    value: 'CONTEXT',
    help: 'Ask the cluster of this context and no hub',
  },
  {
    name: 'namespace',
    short: 'n',
    kind: 'texts',
    value: 'NAMESPACE,...',
    help: 'Namespace of the request; several with commas between',
  },
  { name: 'as', kind: 'text', value: 'USER', help: 'Act as this user on the clusters' },
  {
    name: 'as-group',
    kind: 'lines',
    value: 'GROUP',
    help: 'Act as of this group; may be repeated',
  },
  { name: 'as-uid', kind: 'text', value: 'UID', help: 'Act with this UID' },
  { name: 'token', kind: 'text', value: 'TOKEN', help: 'Bearer token for the clusters' },
  {
    name: 'request-timeout',
    kind: 'text',
    value: 'DURATION',
    help: 'For a single request; 0 means none (0)',
  },
  {
    name: 'insecure-skip-tls-verify',
    kind: 'bool',
    help: "Do not check the clusters' certificates",
  },
  {
    name: 'tls-server-name',
    kind: 'text',
    value: 'NAME',
    help: "Name expected in the clusters' certificates",
  },
  { name: 'proxy-url', kind: 'text', value: 'URL', help: 'Reach the clusters through this proxy' },
  {
    name: 'cache-dir',
    kind: 'text',
    value: 'PATH',
    help: "kubectl's cache folder (~/.kube/cache)",
  },
];

/** All of them, as `kubectl mc options` shows them. */
export const globalFlagGroups: readonly FlagGroup[] = [
  { title: 'Which clusters', flags: selection },
  { title: 'Where they are known', flags: hub },
  { title: 'How they are asked', flags: execution },
  { title: 'What is shown', flags: output },
  { title: "kubectl's own", flags: kubectl },
];

/** The same without groups. */
export const globalFlags: readonly FlagSpec[] = globalFlagGroups.flatMap(({ flags }) => flags);
