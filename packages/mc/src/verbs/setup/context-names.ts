import type { FleetCluster } from '../../fleet/cluster.ts';

/** What is known of a cluster's place; a context's name that says another is not its. */
export interface Place {
  readonly region?: string | undefined;
  readonly project?: string | undefined;
}

/** The contexts that tools name after a cluster; each pattern's groups are checked against what is known of its place. */
const PATTERNS: readonly ((name: string) => RegExp)[] = [
  (name) => new RegExp(`^${name}$`),
  (name) => new RegExp(`^kind-${name}$`),
  (name) => new RegExp(`^k3d-${name}$`),
  (name) => new RegExp(`^gke_(?<project>[^_]+)_(?<region>[^_]+)_${name}$`),
  (name) => new RegExp(`^arn:aws[a-z-]*:eks:(?<region>[a-z0-9-]+):\\d+:cluster/${name}$`),
  (name) => new RegExp(`^.+@${name}\\.(?<region>[a-z0-9-]+)\\.eksctl\\.io$`),
  (name) => new RegExp(`^${name}-admin$`),
];

/**
 * The context whose name says that it is a cluster's: of the first pattern that any fits, and only if that is one context.
 * `contexts` are those that may be taken.
 */
export function contextByName(
  cluster: FleetCluster,
  contexts: readonly string[],
  place: Place = {},
): string | undefined {
  for (const pattern of PATTERNS) {
    const found = new Set(
      namesOf(cluster).flatMap((name) => {
        const expression = pattern(escaped(name));
        return contexts.filter((context) => isMeant(expression.exec(context), place));
      }),
    );
    if (found.size > 0) return found.size === 1 ? [...found][0] : undefined;
  }
  return undefined;
}

/** Names that tools may have been given: what hubs show to people is none. */
function namesOf({ name, profile, labels }: FleetCluster): string[] {
  const ocm = Object.hasOwn(labels, OCM_NAME) ? labels[OCM_NAME] : undefined;
  return [...new Set([profile?.name, ocm, profile === undefined ? name : undefined])].filter(
    (each) => each !== undefined && each !== '',
  ) as string[];
}

const OCM_NAME = 'open-cluster-management.io/cluster-name';

function isMeant(match: RegExpExecArray | null, { region, project }: Place): boolean {
  if (match === null) return false;
  const said = match.groups ?? {};
  const agrees = (known: string | undefined, name: string): boolean =>
    known === undefined || said[name] === undefined || said[name].startsWith(known);
  return agrees(region, 'region') && agrees(project, 'project');
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
