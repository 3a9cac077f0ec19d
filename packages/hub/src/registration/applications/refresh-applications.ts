import type { Client } from '@flotilla/client';
import { formatKey, keyOfObject } from '@flotilla/machinery';
import { collect, isServed } from '../served-kinds.ts';
import { type Application, Applications } from './kinds.ts';
import { refreshMethod } from './refresh-method.ts';
import { type RefreshEvent, type Refreshed, refreshOne } from './refresh-one.ts';
import { resultOf } from './refresh-result.ts';
import { eventDigest } from './refreshed-for.ts';
import { isSelected, topologiesOf } from './topology.ts';

/** Why Applications have to look at their clusters again. */
export type RefreshCause = 'registered' | 'renamed' | 'labels' | 'recreated';

/** What refreshing needs of a client of the hub. */
export type ApplicationsClient = Pick<Client, 'get' | 'pages' | 'patch' | 'raw'>;

/** Which Applications to refresh, and for what. */
export interface RefreshWanted {
  /** `All` refreshes whatever selects clusters by label, as `vela cluster join` does. */
  readonly mode: 'Matching' | 'All';
  readonly cluster: string;
  /** As on the cluster Secret: what others put there counts for KubeVela too. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels before the change: what matched them has seen the cluster already. Without effect on `All`. */
  readonly previousLabels?: Readonly<Record<string, string>> | undefined;
  /** Names the event. An Application is refreshed once per token, whoever asks and however often. */
  readonly token: string;
  readonly now: () => Date;
}

/** Outcome, in the words of the condition ApplicationsRefreshed. */
export interface RefreshResult {
  readonly state:
    | 'UpToDate'
    | 'Refreshed'
    | 'PartiallyRefreshed'
    | 'ListFailed'
    | 'KubeVelaNotInstalled';
  readonly matched: number;
  /** Refreshed for this event, now or by an earlier try. */
  readonly updated: number;
  readonly failed: number;
  readonly message: string;
  readonly warnings: readonly { readonly reason: string; readonly message: string }[];
  /** True when the same call again would change nothing until somebody edits an Application. */
  readonly isFinal: boolean;
}

/** What became of one Application, under its name. */
export type Outcome = Refreshed & { readonly name: string };

/** Requests under way at once; a refresh is no reason to hold up everyone else's. */
const AT_ONCE = 8;

/**
 * Makes KubeVela look again at the Applications whose topology policies select a cluster: each exactly once per token.
 * One Application that cannot be read or written never costs another its refresh.
 */
export async function refreshApplications(
  client: ApplicationsClient,
  wanted: RefreshWanted,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { cluster } = wanted;
  const concerns = (application: Application) => isConcerned(application, wanted);
  const outcomes: Outcome[] = [];
  // By name, as a list that expires is read again.
  const misread = new Map<string, string>();
  try {
    if (!(await isServed(client, Applications, signal))) {
      return resultOf({ cluster, state: 'KubeVelaNotInstalled' });
    }
    const affected = await collect(client, Applications, {
      signal,
      pick: (application) => {
        const { problems } = topologiesOf(application);
        if (problems.length > 0 && application.metadata.deletionTimestamp === undefined) {
          misread.set(nameOf(application), problems.join('; '));
          return undefined;
        }
        return concerns(application) ? withoutBody(application) : undefined;
      },
    });
    for (const [name, why] of misread) outcomes.push({ name, did: 'misread', why });
    if (affected.length > 0) {
      const method = await refreshMethod(client, signal);
      const event = { digest: eventDigest(wanted.token), at: wanted.now(), method, concerns };
      outcomes.push(...(await refreshAll(client, affected, { event, signal })));
    }
  } catch (error) {
    signal.throwIfAborted();
    return resultOf({ cluster, state: 'ListFailed', why: (error as Error).message });
  }
  return resultOf({ cluster, outcomes });
}

function isConcerned(
  application: Application,
  { mode, labels, previousLabels }: RefreshWanted,
): boolean {
  if (application.metadata.deletionTimestamp !== undefined) return false;
  const { topologies } = topologiesOf(application);
  if (mode === 'All') return topologies.some(({ selector }) => selector !== undefined);
  const selectors = topologies.flatMap(({ clusters, selector }) =>
    clusters === undefined && selector !== undefined ? [selector] : [],
  );
  const isPlacedAt = (on: Readonly<Record<string, string>>) =>
    selectors.some((selector) => isSelected(selector, on));
  return isPlacedAt(labels) && (previousLabels === undefined || !isPlacedAt(previousLabels));
}

async function refreshAll(
  client: ApplicationsClient,
  affected: readonly Application[],
  work: { event: RefreshEvent; signal: AbortSignal },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = affected.values();
  const worker = async () => {
    for (const application of waiting) {
      const refreshed = await refreshOne(client, application, work);
      outcomes.push({ ...refreshed, name: nameOf(application) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, affected.length) }, worker));
  return outcomes;
}

/** All that is needed until it is written; thousands of specs need not be kept for it. */
function withoutBody({ apiVersion, kind, metadata }: Application): Application {
  const { namespace, name = '', uid = '', resourceVersion = '', annotations = {} } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { namespace, name, uid, resourceVersion, annotations },
  };
}

function nameOf(application: Application): string {
  return formatKey(keyOfObject(application));
}
