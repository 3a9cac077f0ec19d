import { UsageError } from '../../usage-error.ts';
import type { LogPlan } from './log-plan.ts';

type Limits = Pick<LogPlan, 'maxPerCluster' | 'maxTotal'>;

interface Waiting {
  readonly cluster: string;
  readonly go: () => void;
}

/** The logs that are open at once, of each cluster and of all. */
export class LogStreams {
  readonly #limits: Limits;
  /** How many there were when clusters were first asked. */
  #counted = 0;
  readonly #open = new Map<string, number>();
  #total = 0;
  readonly #waiting: Waiting[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many logs have been counted. */
  get counted(): number {
    return this.#counted;
  }

  /** Refuses more logs of a cluster than may be followed at once, in kubectl's words; one is never too many. */
  checkCluster(count: number, cluster: string | undefined): void {
    const { maxPerCluster } = this.#limits;
    if (count <= 1 || count <= maxPerCluster) return;
    const where = cluster === undefined ? '' : ` of cluster ${cluster}`;
    throw tooMany(`follow ${count} log streams${where}`, maxPerCluster, '--max-log-requests');
  }

  /** Counts the logs of a cluster. */
  count(logs: number): void {
    this.#counted += logs;
  }

  /** Refuses more logs of all clusters together. */
  checkTotal(verb: 'follow' | 'merge'): void {
    const { maxTotal } = this.#limits;
    if (this.#counted <= 1 || this.#counted <= maxTotal) return;
    throw tooMany(`${verb} ${this.#counted} log streams`, maxTotal, '--max-total-log-requests');
  }

  /** Whether a log of a cluster could be opened now. */
  hasRoom(cluster: string): boolean {
    const { maxPerCluster, maxTotal } = this.#limits;
    return (this.#open.get(cluster) ?? 0) < Math.max(1, maxPerCluster) && this.#total < maxTotal;
  }

  /** Does something with a log as soon as there is room for it. */
  async run(cluster: string, work: () => Promise<void>): Promise<void> {
    if (!this.hasRoom(cluster)) {
      await new Promise<void>((resolve) => this.#waiting.push({ cluster, go: resolve }));
    } else this.#take(cluster);
    try {
      await work();
    } finally {
      this.#open.set(cluster, (this.#open.get(cluster) ?? 1) - 1);
      this.#total -= 1;
      this.#pass();
    }
  }

  #take(cluster: string): void {
    this.#open.set(cluster, (this.#open.get(cluster) ?? 0) + 1);
    this.#total += 1;
  }

  #pass(): void {
    const at = this.#waiting.findIndex(({ cluster }) => this.hasRoom(cluster));
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#take(next.cluster);
    next.go();
  }
}

function tooMany(what: string, most: number, flag: string): UsageError {
  return new UsageError(
    `you are attempting to ${what}, but maximum allowed concurrency is ${most}, use ${flag} to increase the limit`,
  );
}
