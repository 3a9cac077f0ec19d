import type { WireHead, WireResponse } from '../transport.ts';
import { type Attempt, isRepeatable } from './attempt.ts';
import type { H1Connection, H1Message } from './h1-connection.ts';
import { tooLarge, WholeBody } from './whole-body.ts';

/** Sends a message and reads the whole answer. */
export function exchange(
  connection: H1Connection,
  message: H1Message,
  { attempt, maxBytes }: { readonly attempt: Attempt; readonly maxBytes: number },
): Promise<WireResponse> {
  const { deadline, request, what } = attempt.errand;
  return new Promise((resolve, reject) => {
    const body = new WholeBody(maxBytes);
    let head: WireHead | undefined;
    const fail = (error: Error) => {
      deadline.onEnd = undefined;
      connection.destroy();
      reject(error);
    };
    if (deadline.ending !== undefined) {
      fail(deadline.error(deadline.ending, true));
      return;
    }
    deadline.onEnd = (ending) => fail(deadline.error(ending, false));
    connection.begin(message, {
      onHead: (received) => {
        head = received;
        const length = message.isHeadRequest ? 0 : Number(received.headers['content-length'] ?? 0);
        if (length > maxBytes) fail(tooLarge(what, maxBytes));
      },
      onBody: (chunk) => {
        if (!body.add(chunk)) fail(tooLarge(what, maxBytes));
      },
      onEnd: () => {
        deadline.onEnd = undefined;
        if (head === undefined) return;
        const { status, headers, warnings } = head;
        resolve({ status, headers, warnings, body: body.bytes });
      },
      onFail: (error) => {
        attempt.mayRepeat = isRepeatable(error, request, connection);
        fail(error);
      },
    });
  });
}
