import {
  badRequest,
  type FieldSelector,
  type KubeObject,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  type Selector,
} from '@flotilla/machinery';
import type { ResourceDef } from '../resources/resource.ts';

/** Which objects of a listing or watch the client wants. */
export interface Selection {
  /** True when every object matches. */
  readonly everything: boolean;
  /** Set when only the object of this name can match. */
  readonly name: string | undefined;
  /** Set when only objects of this namespace can match. */
  readonly namespace: string | undefined;
  readonly matches: (object: KubeObject) => boolean;
}

const EVERYTHING: Selection = {
  everything: true,
  name: undefined,
  namespace: undefined,
  matches: () => true,
};

/**
 * The namespace to look into. Authorization has judged the request's own: a selector may narrow a request for all
 * namespaces, and never leads out of the one that was asked for.
 */
export function namespaceToRead(requested: string, wanted: Selection): string {
  return requested === '' ? (wanted.namespace ?? '') : requested;
}

/** Reads label and field selectors; what is malformed or not selectable is refused as upstream refuses it. */
export function selection(
  def: ResourceDef,
  options: { labelSelector: string; fieldSelector: string },
  name = '',
): Selection {
  if (options.labelSelector === '' && options.fieldSelector === '' && name === '') {
    return EVERYTHING;
  }
  const labels = readLabels(options.labelSelector);
  const fields = readFields(def, options.fieldSelector);
  const exact = (field: string) =>
    fields.find((term) => term.field === field && term.operator === '=')?.value;
  const exactName = exact('metadata.name');
  if (name !== '' && options.fieldSelector !== '' && exactName !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const terms = fields.map((term) => ({
    wanted: term.value,
    equal: term.operator === '=',
    read: fieldReader(def, term.field),
  }));
  return {
    everything: labels === undefined && terms.length === 0 && name === '',
    name: exactName ?? (name === '' ? undefined : name),
    namespace: exact('metadata.namespace'),
    matches: (object) =>
      (name === '' || object.metadata.name === name) &&
      (labels === undefined || matchesLabels(labels, object.metadata.labels ?? {})) &&
      terms.every(({ wanted, equal, read }) => (read(object) === wanted) === equal),
  };
}

function readLabels(text: string): Selector | undefined {
  if (text === '') return undefined;
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}

function readFields(def: ResourceDef, text: string): FieldSelector {
  if (text === '') return [];
  let terms: FieldSelector;
  try {
    terms = parseFieldSelector(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
  for (const { field } of terms) checkSelectable(def, field);
  return terms;
}

const METADATA_FIELDS: Readonly<Record<string, (object: KubeObject) => string>> = {
  'metadata.name': (object) => object.metadata.name ?? '',
  'metadata.namespace': (object) => object.metadata.namespace ?? '',
};

function checkSelectable(def: ResourceDef, field: string): void {
  const isForeign = field === 'metadata.namespace' && !def.builtIn && !def.namespaced;
  if (isForeign) throw badRequest(`field label not supported: ${field}`);
  if (Object.hasOwn(METADATA_FIELDS, field)) return;
  const own = def.behaviour.selectableFields;
  if (own === undefined) {
    throw badRequest(
      `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  if (Object.hasOwn(own, field)) return;
  throw badRequest(def.behaviour.unselectable?.(field) ?? `field label not supported: ${field}`);
}

function fieldReader(def: ResourceDef, field: string): (object: KubeObject) => string {
  return METADATA_FIELDS[field] ?? def.behaviour.selectableFields?.[field] ?? (() => '');
}
