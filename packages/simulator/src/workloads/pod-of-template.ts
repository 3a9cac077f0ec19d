import { deepCopy, type Kind, type KubeObject, type ObjectMeta } from '@flotilla/machinery';
import { controllerReference } from '@flotilla/runtime';
import type { Pod, PodTemplate } from '../kinds.ts';

/** A pod as a controller makes it: the template's metadata and spec, and its owner. */
export function podOfTemplate(
  template: PodTemplate,
  owner: { readonly kind: Kind; readonly object: KubeObject },
  name: Pick<ObjectMeta, 'name' | 'generateName'>,
): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...name,
      namespace: owner.object.metadata.namespace,
      labels: { ...labels },
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
      ownerReferences: [controllerReference(owner.kind, owner.object)],
    },
    spec: deepCopy(template.spec),
  };
}

/** How upstream begins the name of a generated pod: long names lose their end, not their suffix. */
export function podPrefix(name: string): string {
  return `${name}-`;
}
