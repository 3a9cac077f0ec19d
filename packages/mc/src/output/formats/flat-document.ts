import { formatJson, toYaml } from '@flotilla/machinery';
import type { DocumentFormat } from './document.ts';
import { annotateCluster, dropManagedFields } from './fleet-item.ts';

/** `-o json|yaml --flat`: one `v1` List, each object of which says in an annotation where it is from. */
export function flatDocument(
  kind: 'json' | 'yaml',
  options: { readonly showManagedFields: boolean },
): DocumentFormat {
  const prepare = (object: Parameters<DocumentFormat['item']>[0], cluster: string) =>
    annotateCluster(options.showManagedFields ? object : dropManagedFields(object), cluster);
  return kind === 'json' ? flatJson(prepare) : flatYaml(prepare);
}

type Prepare = (object: Parameters<DocumentFormat['item']>[0], cluster: string) => unknown;

function flatJson(prepare: Prepare): DocumentFormat {
  let isFirst = true;
  return {
    item: (object, cluster) =>
      formatJson(prepare(object, cluster), 4).replaceAll('\n', '\n        '),
    open: '{\n    "apiVersion": "v1",\n    "items": [',
    cluster: function* (_, items) {
      for (const item of items) {
        yield `${isFirst ? '' : ','}\n        ${item}`;
        isFirst = false;
      }
    },
    close: () =>
      `${isFirst ? '],' : '\n    ],'}\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n`,
  };
}

function flatYaml(prepare: Prepare): DocumentFormat {
  let isFirst = true;
  return {
    item: (object, cluster) => toYaml([prepare(object, cluster)]),
    open: 'apiVersion: v1\nitems:',
    cluster: function* (_, items) {
      for (const item of items) {
        yield isFirst ? `\n${item}` : item;
        isFirst = false;
      }
    },
    close: () => `${isFirst ? ' []\n' : ''}kind: List\nmetadata:\n  resourceVersion: ""\n`,
  };
}
