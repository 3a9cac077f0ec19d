import { type Job, Jobs, type Pod } from '../kinds.ts';
import { podOfTemplate } from './pod-of-template.ts';

/** Keeps a pod until it has been counted. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';
/** Which of an indexed Job's completions a pod works on. */
export const INDEX = 'batch.kubernetes.io/job-completion-index';

/** A pod of a Job; of an indexed one, for that index. */
export function jobPod(job: Job, index: number | undefined): Pod {
  const jobName = job.metadata.name ?? '';
  const prefix = index === undefined ? `${jobName}-` : `${jobName}-${index}-`;
  const owner = { kind: Jobs, object: job };
  const pod = podOfTemplate(job.spec.template, owner, { generateName: prefix });
  pod.metadata.finalizers = [...(pod.metadata.finalizers ?? []), TRACKING];
  if (index === undefined) return pod;
  const own = { [INDEX]: String(index) };
  pod.metadata.labels = { ...pod.metadata.labels, ...own };
  pod.metadata.annotations = { ...pod.metadata.annotations, ...own };
  pod.spec.hostname = `${jobName}-${index}`;
  return pod;
}

/** The index of a pod; undefined where it has none. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX];
  return text === undefined ? undefined : Number(text);
}

/** Reads `0-2,5` into its numbers. */
export function parseIndexes(text: string): Set<number> {
  const indexes = new Set<number>();
  for (const part of text.split(',').filter((each) => each !== '')) {
    const [from = 0, to = from] = part.split('-').map(Number);
    for (let index = from; index <= to; index++) indexes.add(index);
  }
  return indexes;
}

/** Writes numbers as `0-2,5`; two in a row are listed, not spanned. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const spans: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else spans.push([index, index]);
  }
  return spans
    .map(([from, to]) => (from === to ? `${from}` : `${from}${to - from === 1 ? ',' : '-'}${to}`))
    .join(',');
}
