import type { WireHead, WireResponse } from '../transport.ts';
import type { TransportError } from '../transport-error.ts';
import type { AnswerHead } from './answer-head.ts';
import { type Attempt, isRepeatable } from './attempt.ts';
import type { ExchangeSink, H1Connection, H1Message } from './h1-connection.ts';
import { tooLarge, WholeBody } from './whole-body.ts';

/** Sends a message and reads the whole answer. */
export function exchange(
  connection: H1Connection,
  message: H1Message,
  { attempt, maxBytes }: { readonly attempt: Attempt; readonly maxBytes: number },
): Promise<WireResponse> {
  const { deadline } = attempt.errand;
  return new Promise((resolve, reject) => {
    const answer = new WholeAnswer({ connection, attempt, maxBytes, resolve, reject });
    if (deadline.ending !== undefined) {
      answer.fail(deadline.error(deadline.ending, true));
      return;
    }
    deadline.enter((ending) => answer.fail(deadline.error(ending, false)));
    connection.begin(message, answer);
  });
}

interface WholeAnswerOptions {
  readonly connection: H1Connection;
  readonly attempt: Attempt;
  readonly maxBytes: number;
  readonly resolve: (answer: WireResponse) => void;
  readonly reject: (error: Error) => void;
}

/** A class rather than functions within one another: every request that waits holds one. */
class WholeAnswer implements ExchangeSink {
  readonly #options: WholeAnswerOptions;
  readonly #body: WholeBody;
  #head: WireHead | undefined;

  constructor(options: WholeAnswerOptions) {
    this.#options = options;
    this.#body = new WholeBody(options.maxBytes);
  }

  onHead(head: AnswerHead): void {
    this.#head = head;
    const { attempt, maxBytes } = this.#options;
    const isBodiless = attempt.errand.request.method === 'HEAD';
    const length = isBodiless ? 0 : Number(head.headers['content-length'] ?? 0);
    if (length > maxBytes) this.fail(tooLarge(attempt.errand.what, maxBytes));
  }

  onBody(chunk: Buffer): void {
    if (this.#body.add(chunk)) return;
    const { attempt, maxBytes } = this.#options;
    this.fail(tooLarge(attempt.errand.what, maxBytes));
  }

  onEnd(): void {
    const { attempt, resolve } = this.#options;
    attempt.errand.deadline.leave();
    if (this.#head === undefined) return;
    const { status, headers, warnings } = this.#head;
    resolve({ status, headers, warnings, body: this.#body.bytes });
  }

  onFail(error: TransportError): void {
    const { attempt, connection } = this.#options;
    attempt.mayRepeat = isRepeatable(error, attempt.errand.request, connection);
    this.fail(error);
  }

  fail(error: Error): void {
    const { attempt, connection, reject } = this.#options;
    attempt.errand.deadline.leave();
    connection.destroy();
    reject(error);
  }
}
