import { type Pod, Pods } from '@flotilla/client';
import { Absent } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import { matchesGlob } from '../../selection/glob.ts';
import { readPages } from '../get/read-pages.ts';
import type { Looking, PodSearch } from './log-source.ts';
import { byLogging } from './order-pods.ts';

const PAGE_SIZE = 500;
/** Between two looks for a workload's first pod. */
const LOOK_MS = 1_000;

/** The pods at a place, in the server's order. */
export async function listPods(
  { client }: Pick<Member, 'client'>,
  search: PodSearch,
  { signal }: Pick<Looking, 'signal'>,
): Promise<Pod[]> {
  const pods: Pod[] = [];
  await readPages(
    {
      pages: (pageSize) => client.pages(Pods, { ...selectionOf(search), pageSize, signal }),
      take: ({ items }) => {
        for (const pod of items) if (isMeant(pod, search)) pods.push(pod);
      },
      restart: () => {
        pods.length = 0;
      },
    },
    PAGE_SIZE,
  );
  return pods;
}

/** A search as lists and watches take it. */
export function selectionOf({ namespace, labelSelector }: PodSearch): {
  readonly namespace?: string;
  readonly labelSelector?: string;
} {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

/** Whether a pod that a server found is one by its name, too. */
export function isMeant({ metadata }: Pod, { glob }: PodSearch): boolean {
  return glob === undefined || matchesGlob(glob, metadata.name ?? '');
}

/** The pod of a workload that says the most, and all there are; waits a while for one where there is none. */
export async function findFirstPod(
  member: Pick<Member, 'client'>,
  search: PodSearch,
  { timeoutMs, ...looking }: Looking & { readonly timeoutMs: number },
): Promise<{ readonly first: Pod; readonly all: readonly Pod[] }> {
  for (let leftMs = timeoutMs; ; leftMs -= LOOK_MS) {
    const all = await listPods(member, search, looking);
    const [first] = all.toSorted(byLogging);
    if (first !== undefined) return { first, all };
    if (leftMs <= 0) throw new Absent('timed out waiting for the condition', 'NoPods');
    await looking.clock.wait(Math.min(LOOK_MS, leftMs), looking.signal);
  }
}
