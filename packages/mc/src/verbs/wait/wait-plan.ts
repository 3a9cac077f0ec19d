import { ParseError, parseFieldSelector, parseLabelSelector } from '@flotilla/machinery';
import type { Flags } from '../../flags/flag.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { parseTargets } from '../get/parse-targets.ts';
import type { GetPlan } from '../get/plan.ts';
import type { Target } from '../get/target.ts';
import { type Condition, parseConditions } from './condition.ts';

/** What is waited for, and for how long. */
export interface WaitPlan {
  /** Which objects. */
  readonly objects: GetPlan;
  readonly conditions: readonly Condition[];
  /** 0 looks once. */
  readonly timeoutMs: number;
  /** One cluster is enough. */
  readonly isAny: boolean;
}

const PAGE_SIZE = 500;
const DEFAULT_MS = 30_000;
const WEEK_MS = 168 * 3_600_000;

/** Reads a call; throws kubectl's words for what cannot be meant. */
export async function makeWaitPlan(call: Call, session: Session): Promise<WaitPlan> {
  const { flags } = call;
  const conditions = parseConditions(flags.texts('for'));
  const timeoutMs = flags.durationMs('timeout') ?? DEFAULT_MS;
  return {
    objects: await objectsOf(call, session, conditions),
    conditions,
    timeoutMs: timeoutMs < 0 ? WEEK_MS : timeoutMs,
    isAny: flags.bool('any'),
  };
}

/** Whether something of this kind is waited for. */
export function isFor(conditions: readonly Condition[], kind: 'create' | 'delete'): boolean {
  return conditions.some((condition) => condition.kind === kind);
}

async function objectsOf(
  { args, flags }: Call,
  { settings, io }: Session,
  conditions: readonly Condition[],
): Promise<GetPlan> {
  const labelSelector = selectorOf(flags, 'selector', parseLabelSelector);
  const fieldSelector = selectorOf(flags, 'field-selector', parseFieldSelector);
  const hasSelector = labelSelector !== undefined || fieldSelector !== undefined;
  const allNamespaces = flags.bool('all-namespaces');
  const namespaces = allNamespaces ? [] : [...new Set(settings.kubectl.namespaces)].sort();
  const isOfFiles = flags.isSet('filename') || flags.isSet('kustomize');
  let targets: Target[];
  if (isOfFiles) {
    if (args.length > 0) {
      throw new UsageError(
        'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
      );
    }
    if (hasSelector) throw new UsageError('a selector cannot be used with --filename');
    const { targetsOfFiles } = await import('../get/file-targets.ts');
    targets = await targetsOfFiles(withFolders(flags), io, namespaces);
  } else {
    targets = parseTargets(args);
    checkTargets(targets, { args, hasSelector, isAll: flags.bool('all') });
  }
  const named = targets.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
  return {
    targets,
    clusters: named.length > 0 && named.length === targets.length ? [...new Set(named)] : undefined,
    allNamespaces,
    namespaces,
    labelSelector,
    fieldSelector,
    pageSize: PAGE_SIZE,
    ignoreNotFound: isFor(conditions, 'delete'),
    requireAll: settings.execution.requireAll,
    labelColumns: [],
    showLabels: false,
  };
}

interface Arguments {
  readonly args: readonly string[];
  readonly hasSelector: boolean;
  readonly isAll: boolean;
}

function checkTargets(targets: readonly Target[], { args, hasSelector, isAll }: Arguments): void {
  const isNamed = targets.some(({ name, glob }) => name !== undefined && glob === undefined);
  if (hasSelector) {
    if (isNamed) {
      throw new UsageError(
        args.some((arg) => arg.includes('/'))
          ? 'selectors and the all flag cannot be used when passing resource/name arguments'
          : 'name cannot be provided when a selector is specified',
      );
    }
    if (targets.length === 0) {
      throw new UsageError('at least one resource must be specified to use a selector');
    }
  }
  if (targets.length === 0) {
    throw new UsageError(
      "You must provide one or more resources by argument or filename.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'",
    );
  }
  if (!hasSelector && !isAll && targets.some(({ name }) => name === undefined)) {
    throw new UsageError('resource(s) were provided, but no name was specified');
  }
}

/** A selector that no server would take is not sent to fifty of them. */
function selectorOf(flags: Flags, name: string, parse: (text: string) => unknown) {
  const selector = flags.text(name)?.trim() ?? '';
  if (selector === '') return undefined;
  try {
    parse(selector);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(error.message);
  }
  return selector;
}

/** Unlike other verbs of kubectl, this one looks into folders of folders unless told not to. */
function withFolders(flags: Flags): Flags {
  if (flags.isSet('recursive') || flags.isSet('kustomize')) return flags;
  return { ...flags, bool: (name) => name === 'recursive' || flags.bool(name) };
}
