import { formatJson } from '@flotilla/machinery';
import { type DocumentFormat, entryFields } from './document.ts';
import { dropManagedFields } from './fleet-item.ts';
import { summaryOf } from './summary.ts';

/** The API version of what `-o json` and `-o yaml` print. */
export const ENVELOPE_VERSION = 'kubectl-mc.k8s.io/v1alpha1';
/** The kind of it. */
export const ENVELOPE_KIND = 'MultiClusterResult';

const STEP = 4;

/** `-o json`: a MultiClusterResult, whole whatever becomes of its clusters. */
export function jsonEnvelope(options: {
  readonly showManagedFields: boolean;
  readonly requireAll: boolean;
}): DocumentFormat {
  let isFirst = true;
  return {
    item: (object) =>
      indented(options.showManagedFields ? object : dropManagedFields(object), 4 * STEP),
    open: `{\n    "apiVersion": "${ENVELOPE_VERSION}",\n    "clusters": [`,
    cluster: function* (outcome, items) {
      const { before, after } = entryFields(outcome);
      yield `${isFirst ? '' : ','}\n        {\n${members(before)},\n            "items": [`;
      isFirst = false;
      for (const [index, item] of items.entries()) {
        yield `${index === 0 ? '' : ','}\n${' '.repeat(4 * STEP)}${item}`;
      }
      yield items.length === 0 ? '],\n' : '\n            ],\n';
      yield `${members(after)}\n        }`;
    },
    close: (outcomes) => {
      const end = isFirst ? '],' : '\n    ],';
      const summary = indented(summaryOf(outcomes, options.requireAll), STEP);
      return `${end}\n    "kind": "${ENVELOPE_KIND}",\n    "summary": ${summary}\n}\n`;
    },
  };
}

/** The lines of an object within an entry, without its braces. */
function members(object: object): string {
  const text = indented(object, 2 * STEP);
  return text.slice('{\n'.length, -`\n${' '.repeat(2 * STEP)}}`.length);
}

/** JSON as it stands at a place that is indented; its texts hold no line breaks, so all of them are its own. */
function indented(value: unknown, spaces: number): string {
  return formatJson(value, STEP).replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
