import type { Json } from '@flotilla/machinery';
import type { Outcome } from '../../fan-out/outcome.ts';

/** A form of output that is written cluster by cluster, and is whole only at its end. */
export interface DocumentFormat {
  /** One object; called while clusters answer, so that nothing larger than its text is kept. */
  readonly item: (object: Json, cluster: string) => string;
  readonly open: string;
  /** One cluster, in the order of the output; `items` are the texts of its objects. */
  readonly cluster: (outcome: Outcome<unknown>, items: readonly string[]) => Iterable<string>;
  readonly close: (outcomes: readonly Outcome<unknown>[]) => string;
}

/** What envelopes say of a cluster beside its objects. */
export function entryFields(outcome: Outcome<unknown>): {
  readonly before: Json;
  readonly after: Json;
} {
  const { cluster, status, failure, elapsedMs } = outcome;
  const { resourceVersion } = (outcome.value ?? {}) as { resourceVersion?: string };
  const { profile } = cluster;
  return {
    // Keys are in order, and `items` stands between these two.
    before: {
      cluster: cluster.name,
      elapsedMs,
      ...(failure === undefined ? {} : { error: { ...failure } }),
    },
    after: {
      ...(profile === undefined
        ? {}
        : { profile: { manager: profile.manager, namespace: profile.namespace } }),
      ...(resourceVersion === undefined || resourceVersion === '' ? {} : { resourceVersion }),
      status,
    },
  };
}
