import type { Answering, FleetServer } from '../../testing/fleet-server.ts';

/** The watches of a member, taken over by a test; lists stay the server's own. */
export interface ScriptedWatch {
  /** Watches that are open now. */
  readonly open: () => number;
  /** Sends an event to the one that was opened last. */
  readonly send: (event: object) => void;
  /** Sends what is no event. */
  readonly sendText: (text: string) => void;
  /** Ends it, as a server does when its time is up. */
  readonly end: () => void;
  /** Breaks its connection off. */
  readonly cut: () => void;
}

type Body = Awaited<ReturnType<Answering>>['body'];
type Sink = Parameters<Extract<Body, { readonly start: unknown }>['start']>[0];

/** Answers watches of a member with what the test sends. */
export function scriptWatches({ answerWith }: Pick<FleetServer, 'answerWith'>): ScriptedWatch {
  const sinks: Sink[] = [];
  const current = (): Sink => {
    const sink = sinks.at(-1);
    if (sink === undefined) throw new Error('Cannot reach a watch: none is open');
    return sink;
  };
  const start = (sink: Sink): void => {
    sinks.push(sink);
    sink.onClose(() => sinks.splice(sinks.indexOf(sink), 1));
  };
  answerWith(async (request, next) =>
    request.query.get('watch') === 'true'
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: { start } }
      : await next(request),
  );
  const sendText = (text: string) => void current().write(Buffer.from(text));
  return {
    open: () => sinks.length,
    send: (event) => sendText(`${JSON.stringify(event)}\n`),
    sendText,
    end: () => current().end(),
    cut: () => current().destroy(),
  };
}
