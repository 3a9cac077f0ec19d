import { toYaml } from '@flotilla/machinery';
import { type DocumentFormat, entryFields } from './document.ts';
import { dropManagedFields } from './fleet-item.ts';
import { ENVELOPE_KIND, ENVELOPE_VERSION } from './json-envelope.ts';
import { summaryOf } from './summary.ts';

/** `-o yaml`: a MultiClusterResult, whole whatever becomes of its clusters. */
export function yamlEnvelope(options: {
  readonly showManagedFields: boolean;
  readonly requireAll: boolean;
}): DocumentFormat {
  let isFirst = true;
  return {
    item: (object) =>
      indented(toYaml([options.showManagedFields ? object : dropManagedFields(object)])),
    open: `apiVersion: ${ENVELOPE_VERSION}\nclusters:`,
    cluster: function* (outcome, items) {
      const { before, after } = entryFields(outcome);
      yield `${isFirst ? '\n' : ''}${toYaml([before])}`;
      isFirst = false;
      yield items.length === 0 ? '  items: []\n' : '  items:\n';
      yield* items;
      yield indented(toYaml(after));
    },
    close: (outcomes) =>
      `${isFirst ? ' []\n' : ''}${toYaml({ kind: ENVELOPE_KIND, summary: summaryOf(outcomes, options.requireAll) })}`,
  };
}

/** Two columns further right; lines of a block that are empty stay so. */
function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
