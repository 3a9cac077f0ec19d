import type { Flags } from '../../flags/flag.ts';

/** Arguments that are objects of clusters. */
export interface ResourceArguments {
  /** `resources`: a type, then names. `names`: names of one type. */
  readonly kind: 'resources' | 'names';
  /** Of `names`. */
  readonly type?: string;
  /** Only these make sense; all when undefined. */
  readonly types?: readonly string[];
  /** How many there may be. */
  readonly most?: number;
}

/** What the arguments of a verb are. */
export type VerbArguments =
  | ResourceArguments
  | { readonly kind: 'nothing' | 'files' | 'clusters' | 'config-keys' | 'can-i' }
  | {
      readonly kind: 'words';
      /** Of the first argument, the second, and so on. */
      readonly words: readonly (readonly string[])[];
      readonly isRepeated?: boolean;
    };

const RESOURCES: ResourceArguments = { kind: 'resources' };
const ROLLED_OUT = ['deployments', 'daemonsets', 'statefulsets'];
const SCALED = ['deployments', 'replicasets', 'statefulsets', 'replicationcontrollers'];
const WITH_PODS = [...new Set([...ROLLED_OUT, ...SCALED, 'cronjobs', 'jobs', 'pods'])];
const EXPOSED = ['deployments', 'pods', 'replicasets', 'replicationcontrollers', 'services'];
const PODS: ResourceArguments = { kind: 'names', type: 'pods', types: WITH_PODS };
const ONE_POD: ResourceArguments = { ...PODS, most: 1 };
const NODES: ResourceArguments = { kind: 'names', type: 'nodes' };
const ROLLOUT: ResourceArguments = { kind: 'resources', types: ROLLED_OUT };

const OF_VERBS: Readonly<Record<string, VerbArguments>> = {
  annotate: RESOURCES,
  attach: ONE_POD,
  'auth can-i': { kind: 'can-i' },
  autoscale: { kind: 'resources', types: SCALED },
  'cache clear': {
    kind: 'words',
    words: [['inventory', 'discovery', 'completion', 'credentials']],
    isRepeated: true,
  },
  clusters: { kind: 'clusters' },
  completion: { kind: 'words', words: [['bash', 'zsh', 'fish']] },
  'config set': { kind: 'config-keys' },
  cordon: NODES,
  cp: { kind: 'files' },
  debug: ONE_POD,
  delete: RESOURCES,
  describe: RESOURCES,
  drain: NODES,
  edit: RESOURCES,
  exec: ONE_POD,
  explain: { kind: 'resources', most: 1 },
  expose: { kind: 'resources', types: EXPOSED },
  get: RESOURCES,
  label: RESOURCES,
  logs: ONE_POD,
  patch: RESOURCES,
  'port-forward': { ...ONE_POD, types: [...WITH_PODS, 'services'] },
  'rollout history': ROLLOUT,
  'rollout pause': { kind: 'resources', types: ['deployments'] },
  'rollout restart': ROLLOUT,
  'rollout resume': { kind: 'resources', types: ['deployments'] },
  'rollout status': ROLLOUT,
  'rollout undo': ROLLOUT,
  scale: { kind: 'resources', types: SCALED },
  'set env': { kind: 'resources', types: WITH_PODS },
  'set image': { kind: 'resources', types: WITH_PODS },
  'set resources': { kind: 'resources', types: WITH_PODS },
  taint: { kind: 'resources', types: ['nodes'] },
  'top nodes': NODES,
  'top pods': { kind: 'names', type: 'pods' },
  uncordon: NODES,
  wait: RESOURCES,
};

/** What the arguments of a verb are; none where files say which objects are meant. */
export function argumentsOf(verb: string, flags: Flags): VerbArguments {
  const found = Object.hasOwn(OF_VERBS, verb) ? OF_VERBS[verb] : undefined;
  if (found === undefined) return { kind: 'nothing' };
  const isObjects = found.kind === 'resources' || found.kind === 'names';
  return isObjects && hasFiles(flags) ? { kind: 'nothing' } : found;
}

function hasFiles(flags: Flags): boolean {
  return ['filename', 'kustomize'].some((name) => {
    try {
      return flags.isSet(name);
    } catch {
      // The verb has no such flag.
      return false;
    }
  });
}
