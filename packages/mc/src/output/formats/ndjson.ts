import { formatJson } from '@flotilla/machinery';
import type { DocumentFormat } from './document.ts';
import { annotateCluster, dropManagedFields } from './fleet-item.ts';

/** `-o ndjson`: an object per line, which says in an annotation where it is from. */
export function ndjson(options: { readonly showManagedFields: boolean }): DocumentFormat {
  return {
    item: (object, cluster) => {
      const shown = options.showManagedFields ? object : dropManagedFields(object);
      return `${formatJson(annotateCluster(shown, cluster))}\n`;
    },
    open: '',
    cluster: (_, items) => items,
    close: () => '',
  };
}
