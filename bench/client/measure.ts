import { cpuMs, peakMb } from '../resources.ts';
import type { Job, Report } from './job.ts';

/** What a client does for each kind of job; `request` is called again and again. */
export interface Load {
  readonly request: (round: number) => Promise<unknown>;
  readonly startInformers: () => Promise<unknown>;
}

/** Reads the job from the arguments, does it with the client that `prepare` makes, prints the report, and ends. */
export async function runJob(prepare: (job: Job) => Promise<Load> | Load): Promise<void> {
  const job = JSON.parse(process.argv[2] ?? '{}') as Job;
  const load = await prepare(job);
  const report = await reportOf(job, load);
  console.log(JSON.stringify({ ...report, peakMb: peakMb() }));
  process.exit(0);
}

async function reportOf(job: Job, load: Load): Promise<Omit<Report, 'peakMb'>> {
  const begun = performance.now();
  if (job.kind === 'nothing') return { perSecond: 0, cpuMs: cpuMs(), seconds: 0 };
  if (job.kind === 'informers') {
    await load.startInformers();
    return { perSecond: 0, cpuMs: cpuMs(), seconds: (performance.now() - begun) / 1000 };
  }
  if (job.requests !== undefined) {
    const { done, seconds } = await repeat(load.request, job);
    return { perSecond: done / seconds, cpuMs: cpuMs() / done, seconds };
  }
  // Everybody is given time to compile their hot paths.
  await repeat(load.request, { ...job, seconds: job.seconds / 3 });
  const cpuBefore = cpuMs();
  const { done, seconds } = await repeat(load.request, job);
  return { perSecond: done / seconds, cpuMs: (cpuMs() - cpuBefore) / done, seconds };
}

let rounds = 0;

async function repeat(
  request: Load['request'],
  { atOnce, seconds, requests }: Pick<Job, 'atOnce' | 'seconds' | 'requests'>,
): Promise<{ done: number; seconds: number }> {
  const begun = performance.now();
  let started = 0;
  let done = 0;
  const mayGoOn = () =>
    requests === undefined ? performance.now() - begun < seconds * 1000 : started < requests;
  const work = async (): Promise<void> => {
    while (mayGoOn()) {
      started += 1;
      await request(rounds++);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, seconds: (performance.now() - begun) / 1000 };
}
