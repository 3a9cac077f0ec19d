import type { Json } from '@flotilla/machinery';
import type { Outcome } from '../../fan-out/outcome.ts';
import { ChunkedWriter } from '../../output/chunked-writer.ts';
import type { DocumentFormat } from '../../output/formats/document.ts';
import { annotateCluster, flatList } from '../../output/formats/fleet-item.ts';
import { nameLine } from '../../output/formats/name.ts';
import type { PlainFormat } from '../../output/formats/plain-format.ts';
import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { documentFormat, templatePrinter } from '../get/list.ts';
import { askEvents, type EventAnswer, inOrder } from './ask-events.ts';
import type { CoreEvent } from './core-event.ts';
import type { EventPlan } from './event-plan.ts';
import { concludeEvents, namedCluster } from './list-events.ts';

/** Prints the events of all clusters as objects. */
export async function listEventObjects(
  call: Call,
  plan: EventPlan,
  { session, format }: { readonly session: Session; readonly format: PlainFormat },
): Promise<number> {
  const { io, settings } = session;
  const ask = async <K>(keep: (event: CoreEvent, cluster: string) => K) =>
    await session.fanOut(
      await session.fleet(namedCluster(plan)),
      (member) => askEvents(member, plan, (event) => keep(event, member.cluster.name)),
      { isEmpty: ({ events }) => events.length === 0 },
    );

  if (format.kind === 'name') {
    const showsCluster = settings.output.clusterColumn !== 'none';
    const outcomes = await ask(({ metadata }, cluster) =>
      nameLine(`event/${metadata.name ?? '<unknown>'}`, showsCluster ? cluster : undefined),
    );
    await io.out(merged(outcomes).join(''));
    return concludeEvents(outcomes, session);
  }
  if ('template' in format) {
    const print = await templatePrinter(format, call, session);
    const outcomes = await ask((event, cluster) =>
      annotateCluster(event as unknown as Json, cluster),
    );
    const events = merged(outcomes);
    // kubectl prints no list that is empty.
    if (events.length > 0) await io.out(print(flatList(events)));
    return concludeEvents(outcomes, session);
  }
  const document = await documentFormat(format.kind, call, session);
  const outcomes = await ask((event, cluster) => document.item(event as unknown as Json, cluster));
  const isFlat = format.kind === 'ndjson' || call.flags.bool('flat');
  await writeDocument(outcomes, { document, isFlat, session });
  return concludeEvents(outcomes, session);
}

/** What was kept of all clusters' events, in one order. */
function merged<K>(outcomes: readonly Outcome<EventAnswer<K>>[]): K[] {
  const all = outcomes.flatMap(({ value }) => value?.events ?? []);
  return inOrder(all).map(({ kept }) => kept);
}

interface Writing {
  readonly document: DocumentFormat;
  /** One list over all clusters. */
  readonly isFlat: boolean;
  readonly session: Session;
}

async function writeDocument(
  outcomes: readonly Outcome<EventAnswer<string>>[],
  { document, isFlat, session }: Writing,
): Promise<void> {
  const writer = new ChunkedWriter(session.io.out);
  await writer.add(document.open);
  const [first] = outcomes;
  const parts =
    isFlat && first !== undefined
      ? [{ outcome: first, texts: merged(outcomes) }]
      : outcomes.map((outcome) => ({ outcome, texts: merged([outcome]) }));
  for (const { outcome, texts } of parts) {
    for (const text of document.cluster(outcome, texts)) {
      const full = writer.add(text);
      if (full !== undefined) await full;
    }
  }
  await writer.add(document.close(outcomes));
  await writer.flush();
}
