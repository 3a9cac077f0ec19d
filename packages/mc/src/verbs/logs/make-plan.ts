import { ParseError, parseLabelSelector, parseTime } from '@flotilla/machinery';
import type { Flags } from '../../flags/flag.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { parseTargets } from '../get/parse-targets.ts';
import type { Target } from '../get/target.ts';
import type { LogPlan, LogWindow } from './log-plan.ts';

const SELECTOR_TAIL = 10;
const MAX_PER_CLUSTER = 5;
const MAX_TOTAL = 200;
const POD_TIMEOUT_MS = 20_000;
/** `c1:pod/x`, which `get -o name` prints. */
const WITH_CLUSTER = /^[^:]+:[^/]+\/[^/]+$/;

const USAGE = `expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.
POD or TYPE/NAME is a required argument for the logs command`;

/** Turns arguments and flags into what every cluster is asked for; refuses what does not go together in kubectl's words. */
export function makeLogPlan({ args, flags }: Call, { settings }: Session): LogPlan {
  const labelSelector = flags.text('selector') || undefined;
  const { targets, inline } = readArgs(args, labelSelector !== undefined);
  const container = inline ?? (flags.text('container') || undefined);
  checkContainers(flags, { inline, container });
  checkSelector(labelSelector);
  const isSearch = labelSelector !== undefined || targets.some(({ glob }) => glob !== undefined);
  const window = readWindow(flags, isSearch);
  const limitBytes = flags.integer('limit-bytes') ?? 0;
  if (limitBytes < 0) throw new UsageError('--limit-bytes must be greater than 0');
  const isFollowed = flags.bool('follow');
  if (isFollowed && flags.bool('merge')) {
    throw new UsageError('--merge and --follow are mutually exclusive');
  }
  const allNamespaces = flags.bool('all-namespaces');
  if (allNamespaces && !isSearch) {
    throw new UsageError('a resource cannot be retrieved by name across all namespaces');
  }
  const allPods = flags.bool('all-pods');
  const isJson = flags.text('output') === 'json';
  return {
    targets,
    clusters: clustersOf(targets),
    labelSelector,
    allNamespaces,
    namespaces: allNamespaces ? [] : [...new Set(settings.kubectl.namespaces)],
    container,
    allContainers: flags.bool('all-containers'),
    allPods,
    isFollowed,
    window,
    isPrevious: flags.bool('previous'),
    skipsBackendTls: flags.bool('insecure-skip-tls-verify-backend'),
    limitBytes: limitBytes === 0 ? undefined : limitBytes,
    hasTimestamps: flags.bool('timestamps'),
    hasPrefix: flags.isSet('prefix') ? flags.bool('prefix') || allPods : allPods || undefined,
    isJson,
    isMerged: flags.bool('merge'),
    ignoreErrors: flags.bool('ignore-errors'),
    maxPerCluster: flags.integer('max-log-requests') ?? MAX_PER_CLUSTER,
    maxTotal: flags.integer('max-total-log-requests') ?? MAX_TOTAL,
    podTimeoutMs: flags.durationMs('pod-running-timeout') ?? POD_TIMEOUT_MS,
  };
}

/** A pod or a workload with its container, or as many as name their clusters. */
function readArgs(
  args: readonly string[],
  hasSelector: boolean,
): { targets: Target[]; inline: string | undefined } {
  const [first, second, ...more] = args;
  if (first === undefined) {
    if (!hasSelector) throw usage(USAGE);
    return { targets: [], inline: undefined };
  }
  if (args.every((arg) => WITH_CLUSTER.test(arg))) {
    if (hasSelector) throw usage('only a selector (-l) or a POD name is allowed');
    return { targets: parseTargets(args), inline: undefined };
  }
  if (more.length > 0) throw usage(USAGE);
  if (hasSelector) throw usage('only a selector (-l) or a POD name is allowed');
  const words = first.includes('/') ? [first] : ['pods', first];
  return { targets: parseTargets(words), inline: second };
}

function checkContainers(
  flags: Flags,
  { inline, container }: { inline: string | undefined; container: string | undefined },
): void {
  if (flags.bool('all-containers') && container !== undefined) {
    throw new UsageError(
      `--all-containers=true should not be specified with container name ${container}`,
    );
  }
  if (inline !== undefined && flags.isSet('container')) {
    throw new UsageError('only one of -c or an inline [CONTAINER] arg is allowed');
  }
}

function readWindow(flags: Flags, isSearch: boolean): LogWindow {
  const sinceTime = flags.text('since-time') || undefined;
  const sinceMs = flags.durationMs('since') ?? 0;
  if (sinceTime !== undefined && sinceMs !== 0) {
    throw new UsageError('at most one of `sinceTime` or `sinceSeconds` may be specified');
  }
  checkTime(sinceTime);
  // As kubectl does it: half a second is one.
  const sinceSeconds = sinceMs === 0 ? undefined : Math.round(sinceMs / 1_000);
  if (sinceSeconds !== undefined && sinceSeconds < 0) {
    throw new UsageError('--since must be greater than 0');
  }
  const tail = flags.integer('tail') ?? (isSearch ? SELECTOR_TAIL : -1);
  if (tail < -1) throw new UsageError('--tail must be greater than or equal to -1');
  return { tailLines: tail === -1 ? undefined : tail, sinceSeconds, sinceTime };
}

function checkTime(text: string | undefined): void {
  if (text === undefined) return;
  try {
    parseTime(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(error.message);
  }
}

/** A selector that no server would take is not sent to fifty of them. */
function checkSelector(selector: string | undefined): void {
  if (selector === undefined) return;
  try {
    parseLabelSelector(selector);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`Cannot use selector "${selector}": ${error.message}`);
  }
}

function clustersOf(targets: readonly Target[]): readonly string[] | undefined {
  const named = targets.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
  return named.length === 0 ? undefined : [...new Set(named)];
}

function usage(text: string): UsageError {
  return new UsageError(`${text}\nSee 'kubectl mc logs -h' for help and examples`);
}
