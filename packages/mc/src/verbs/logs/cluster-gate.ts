import type { FleetCluster } from '../../fleet/cluster.ts';

/** Opens once every cluster has come to it, or is known not to come. */
export class ClusterGate {
  readonly #arrived = new Set<FleetCluster>();
  readonly #expected: number;
  readonly opened: Promise<void>;
  #open: () => void = () => {};

  constructor(expected: number) {
    this.#expected = expected;
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Only the first time counts for each. */
  arrive(cluster: FleetCluster): void {
    this.#arrived.add(cluster);
    if (this.#arrived.size >= this.#expected) this.#open();
  }

  /** Waits for it, no longer than the signal lets. */
  async passed(signal: AbortSignal): Promise<void> {
    await untilAborted(this.opened, signal);
  }
}

/** Waits for what others may be waiting for, too; throws the signal's reason when it is aborted first. */
export async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
