import { ParseError, parseLabelSelector, type Selector } from '@flotilla/machinery';
import { parseSortPath } from '../../output/sort/sort-key.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { parseTargets } from './parse-targets.ts';
import type { GetPlan } from './plan.ts';
import type { Target } from './target.ts';

const PAGE_SIZE = 500;

/** Turns arguments and flags into what every cluster is asked for; reads the files that flags name. */
export async function makePlan({ args, flags }: Call, session: Session): Promise<GetPlan> {
  const { settings, io } = session;
  const labelSelector = given(flags.text('selector')?.trim());
  const fieldSelector = given(flags.text('field-selector')?.trim());
  const isFromFiles = flags.isSet('filename') || flags.isSet('kustomize');
  const targets = isFromFiles ? await fileTargets() : parseTargets(args);
  if (!isFromFiles) checkSelectors(targets, labelSelector ?? fieldSelector);
  const selector = parsedSelector(labelSelector);
  const subresource = given(flags.text('subresource'));
  if (
    subresource !== undefined &&
    targets.some(({ name, glob }) => name === undefined || glob !== undefined)
  ) {
    throw new UsageError('subresource cannot be used when bulk resources are specified');
  }
  const sortBy = given(flags.text('sort-by'));
  const isPlain = flags.isSet('server-print') && !flags.bool('server-print');
  return {
    targets,
    clusters: clustersOf(targets),
    allNamespaces: flags.bool('all-namespaces'),
    namespaces: flags.bool('all-namespaces')
      ? []
      : [...new Set(settings.kubectl.namespaces)].sort(),
    labelSelector,
    fieldSelector,
    // Servers select from lists; of what files name, we do.
    ...(isFromFiles ? { objectSelector: selector } : {}),
    subresource,
    pageSize: pageSizeOf(flags.integer('chunk-size')),
    ignoreNotFound: flags.bool('ignore-not-found'),
    requireAll: settings.execution.requireAll,
    sortPath: sortBy === undefined ? undefined : parseSortPath(sortBy),
    labelColumns: flags.texts('label-columns'),
    showLabels: flags.bool('show-labels'),
    ...(isPlain ? { plainNow: io.clock.now } : {}),
  };

  async function fileTargets(): Promise<Target[]> {
    if (args.length > 0) {
      throw new UsageError(
        'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
      );
    }
    const { targetsOfFiles } = await import('./file-targets.ts');
    const namespaces = flags.bool('all-namespaces') ? [] : settings.kubectl.namespaces;
    return await targetsOfFiles(flags, io, namespaces);
  }
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function pageSizeOf(size: number | undefined): number {
  if (size === undefined) return PAGE_SIZE;
  return size < 0 ? 0 : size;
}

/** Globs are about all objects of a type, so they may be selected further. */
function checkSelectors(targets: readonly Target[], selector: string | undefined): void {
  if (selector === undefined) return;
  if (targets.some(({ name, glob }) => name !== undefined && glob === undefined)) {
    throw new UsageError('name cannot be provided when a selector is specified');
  }
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
