import { ParseError, parseLabelSelector, type Selector } from '@flotilla/machinery';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { parseTargets } from '../get/parse-targets.ts';
import type { GetPlan } from '../get/plan.ts';
import type { Target } from '../get/target.ts';

/** What is described, and how. */
export interface DescribePlan extends GetPlan {
  /** `TYPE NAME`: where there is no such name, kubectl takes it for the beginning of names. */
  readonly isPrefix: boolean;
  /** Flags that are kubectl's business. */
  readonly flags: readonly string[];
}

const PAGE_SIZE = 500;

/** Turns arguments and flags into what every cluster is asked for; reads the files that flags name. */
export async function makePlan(call: Call, session: Session): Promise<DescribePlan> {
  const { args, flags } = call;
  const { settings } = session;
  const isFromFiles = flags.isSet('filename') || flags.isSet('kustomize');
  if (args.length === 0 && !isFromFiles) {
    throw new UsageError(
      'You must specify the type of resource to describe. Use "kubectl mc api-resources" for a complete list of supported resources.',
    );
  }
  const labelSelector = flags.text('selector')?.trim() || undefined;
  const selector = parsedSelector(labelSelector);
  const targets = isFromFiles ? await fileTargets(call, session) : parseTargets(args);
  const isNamed = ({ name, glob }: Target) => name !== undefined && glob === undefined;
  if (!isFromFiles && selector !== undefined && targets.some(isNamed)) {
    throw new UsageError('name cannot be provided when a selector is specified');
  }
  const allNamespaces = flags.bool('all-namespaces');
  const pageSize = Math.max(0, flags.integer('chunk-size') ?? PAGE_SIZE);
  const [first] = targets;
  return {
    targets,
    clusters: clustersOf(targets),
    allNamespaces,
    namespaces: allNamespaces ? [] : [...new Set(settings.kubectl.namespaces)],
    labelSelector,
    ...(isFromFiles ? { objectSelector: selector } : {}),
    pageSize,
    ignoreNotFound: false,
    requireAll: settings.execution.requireAll,
    labelColumns: [],
    showLabels: false,
    isPrefix: args.length === 2 && targets.length === 1 && first !== undefined && isNamed(first),
    flags: [
      ...(flags.isSet('show-events') ? [`--show-events=${flags.bool('show-events')}`] : []),
      ...(flags.isSet('chunk-size') ? [`--chunk-size=${pageSize}`] : []),
    ],
  };
}

async function fileTargets({ args, flags }: Call, { io, settings }: Session): Promise<Target[]> {
  if (args.length > 0) {
    throw new UsageError(
      'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    );
  }
  const { targetsOfFiles } = await import('../get/file-targets.ts');
  const namespaces = flags.bool('all-namespaces') ? [] : settings.kubectl.namespaces;
  return await targetsOfFiles(flags, io, namespaces);
}

/** A selector that no server would take is not sent to fifty of them. */
function parsedSelector(selector: string | undefined): Selector | undefined {
  if (selector === undefined) return undefined;
  try {
    return parseLabelSelector(selector);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`Cannot use selector "${selector}": ${error.message}`);
  }
}

/** Only where every argument names its cluster are no others asked. */
function clustersOf(targets: readonly Target[]): readonly string[] | undefined {
  const named = targets.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
  return named.length > 0 && named.length === targets.length ? [...new Set(named)] : undefined;
}
