import type { LabelSelector } from '@flotilla/machinery';
import {
  internalError,
  type KubeObject,
  labelSelectorAsSelector,
  matchesLabels,
  notFound,
  type Selector,
  type StatusError,
  selectsEverything,
} from '@flotilla/machinery';
import type { Admission } from '../../objects/engine.ts';
import type { ObjectIndex } from '../../objects/object-index.ts';

/** What admission must know of a namespace without reading it. */
export type NamespaceLabels = ObjectIndex<Readonly<Record<string, string>>>;

/** A match, or the refusal that counts if everything else about the request matches. */
export type SelectorVerdict = boolean | StatusError;

/** Namespaces and objects that a webhook or policy is for. */
export interface CompiledSelectors {
  readonly namespace: Selector | Error;
  readonly object: Selector | Error;
}

/** Reads both selectors once. */
export function compileSelectors(source: {
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly objectSelector?: LabelSelector | undefined;
}): CompiledSelectors {
  return {
    namespace: compile(source.namespaceSelector ?? {}),
    object: compile(source.objectSelector ?? {}),
  };
}

/** Objects from before a rule may hold what can no longer be read; then nothing is admitted unseen. */
function compile(selector: LabelSelector): Selector | Error {
  try {
    return labelSelectorAsSelector(selector);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Cluster-scoped objects other than namespaces are never exempt. */
export function namespaceMatches(
  selector: Selector | Error,
  admission: Admission,
  namespaces: NamespaceLabels,
): SelectorVerdict {
  const { def, namespace, tenant } = admission;
  if (namespace === '' && def.resource !== 'namespaces') return true;
  if (selector instanceof Error) return internalError(selector.message);
  if (selectsEverything(selector)) return true;
  if (isWriteOfNamespace(admission)) {
    return matchesLabels(selector, admission.object?.metadata?.labels ?? {});
  }
  const labels = namespaces.get(tenant, namespace);
  if (labels === undefined) return notFound({ group: '', resource: 'namespaces' }, namespace);
  return matchesLabels(selector, labels);
}

/** Its new labels count, which nobody has stored yet. */
function isWriteOfNamespace({ def, subresource, operation }: Admission): boolean {
  return (
    def.resource === 'namespaces' &&
    subresource === '' &&
    (operation === 'CREATE' || operation === 'UPDATE')
  );
}

/** Either the new or the old object will do. */
export function objectMatches(
  selector: Selector | Error,
  { object, old }: Pick<Admission, 'object' | 'old'>,
): SelectorVerdict {
  if (selector instanceof Error) return internalError(selector.message);
  if (selectsEverything(selector)) return true;
  const matches = (each: KubeObject | undefined): boolean =>
    each?.metadata !== undefined && matchesLabels(selector, each.metadata.labels ?? {});
  return matches(object) || matches(old);
}
