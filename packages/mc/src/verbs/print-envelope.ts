import type { Json } from '@flotilla/machinery';
import type { Outcome } from '../fan-out/outcome.ts';
import { ChunkedWriter } from '../output/chunked-writer.ts';
import type { Session } from '../session.ts';

/** What is printed for programs, and in which form. */
export interface EnvelopeChoice<T> {
  readonly format: 'json' | 'yaml';
  /** What a cluster's answer puts under `items`. */
  readonly items: (value: T) => Iterable<Json>;
}

/** Prints a MultiClusterResult of answers that are all there; it is whole whatever became of the clusters. */
export async function printEnvelope<T>(
  outcomes: readonly Outcome<T>[],
  { format, items }: EnvelopeChoice<T>,
  { io, settings }: Pick<Session, 'io' | 'settings'>,
): Promise<void> {
  const options = { showManagedFields: true, requireAll: settings.execution.requireAll };
  const document =
    format === 'json'
      ? (await import('../output/formats/json-envelope.ts')).jsonEnvelope(options)
      : (await import('../output/formats/yaml-envelope.ts')).yamlEnvelope(options);
  const writer = new ChunkedWriter(io.out);
  await writer.add(document.open);
  for (const outcome of outcomes) {
    const { value, cluster } = outcome;
    const texts =
      value === undefined
        ? []
        : Array.from(items(value), (item) => document.item(item, cluster.name));
    for (const text of document.cluster(outcome, texts)) await writer.add(text);
  }
  await writer.add(document.close(outcomes));
  await writer.flush();
}
