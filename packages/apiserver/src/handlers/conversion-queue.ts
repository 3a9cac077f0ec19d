/** Steps that may wait for a conversion webhook. */
const MAX_STEPS = 1_000;

/** Whose steps they are. */
export interface ConversionClient {
  /** False once nobody waits for the steps any more. */
  readonly isOpen: () => boolean;
  /** A step could not be done. */
  readonly failed: (error: unknown) => void;
  /** Too many steps wait: who converts so slowly must not fill our memory. */
  readonly overrun: () => void;
}

/** What one watch does with objects that a webhook has to convert first: one step after the other. */
export class ConversionQueue {
  readonly #client: ConversionClient;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(client: ConversionClient) {
    this.#client = client;
  }

  /** True while the client has not been given everything. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  add(step: () => Promise<void>): void {
    this.#waiting += 1;
    if (this.#waiting > MAX_STEPS) this.#client.overrun();
    this.#last = this.#last
      .then(() => (this.#client.isOpen() ? step() : undefined))
      .catch((error: unknown) => this.#client.failed(error))
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}
