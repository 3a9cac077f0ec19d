import type { Clock } from '@flotilla/machinery';
import type { WireHead } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { AnswerStream, type StreamSource } from './answer-stream.ts';
import { type Attempt, isRepeatable, unknownCoding } from './attempt.ts';
import { seconds } from './deadline.ts';
import { tooLarge } from './whole-body.ts';

/** Hears how an answer goes; the same over HTTP/1.1 and HTTP/2. */
export interface StreamSink {
  readonly onHead: (head: WireHead) => void;
  readonly onBody: (chunk: Buffer) => void;
  readonly onEnd: () => void;
  readonly onFail: (error: TransportError) => void;
}

/** A way to get an answer that is read as it arrives. */
export interface StreamCarrier {
  readonly isReused: boolean;
  readonly begin: (sink: StreamSink) => StreamSource;
  /** Called instead of `begin` when it is too late for it. */
  readonly release: () => void;
}

/** Sends a request and ends when its headers are there. */
export function openStream(
  carrier: StreamCarrier,
  attempt: Attempt,
  clock: Clock,
): Promise<AnswerStream> {
  const { deadline, request, what } = attempt.errand;
  const idleMs = request.timeouts?.idleMs ?? 0;
  const maxBytes = request.maxBytes ?? Number.POSITIVE_INFINITY;
  return new Promise((resolve, reject) => {
    if (deadline.ending !== undefined) {
      carrier.release();
      reject(deadline.error(deadline.ending, true));
      return;
    }
    let stream: AnswerStream | undefined;
    const fail = (error: TransportError) => {
      deadline.leave();
      const { isReused } = carrier;
      attempt.mayRepeat = isRepeatable(error, request, { isReused, hasAnswered: false });
      reject(error);
    };
    const sink: StreamSink = {
      onHead: (head) => {
        deadline.leave();
        const coding = head.headers['content-encoding'] ?? 'identity';
        if (coding !== 'identity') {
          source.cancel();
          reject(unknownCoding(what, coding));
          return;
        }
        stream = new AnswerStream({
          head,
          source,
          clock,
          maxBytes,
          idleMs,
          tooLarge: () => tooLarge(what, maxBytes),
          tooQuiet: () =>
            new TransportError('timeout', `Cannot ${what}: nothing came for ${seconds(idleMs)}`),
        });
        resolve(stream);
      },
      onBody: (chunk) => stream?.push(chunk),
      onEnd: () => {
        if (stream === undefined) fail(headless(what));
        else stream.finish();
      },
      onFail: (error) => {
        if (stream === undefined) fail(error);
        else stream.finish(error);
      },
    };
    let source: StreamSource;
    try {
      source = carrier.begin(sink);
    } catch (error) {
      fail(error as TransportError);
      return;
    }
    deadline.enter((ending) => {
      source.cancel();
      reject(deadline.error(ending, false));
    });
  });
}

/** From its headers on a stream lasts as long as it likes, but not longer than its caller or its transport. */
export function followStream(
  stream: AnswerStream,
  { deadline }: Pick<Attempt['errand'], 'deadline'>,
  onDone: () => void,
): void {
  deadline.dropTimer();
  const abort = () => {
    if (deadline.ending !== undefined) stream.fail(deadline.error(deadline.ending, false));
  };
  deadline.enter(abort);
  abort();
  stream.onceDone(onDone);
}

function headless(what: string): TransportError {
  return new TransportError('malformed', `Cannot ${what}: the answer has no status`);
}
