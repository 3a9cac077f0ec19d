import type { KubeObject } from '@flotilla/machinery';
import {
  difference,
  type FieldSet,
  fieldSetOf,
  newFields,
  recursiveDifference,
  setOf,
} from '@flotilla/machinery/apply';
import type { ResourceDef } from '../resources/resource.ts';
import { encodeEntries, identifierOf, type ManagedFieldsEntry } from './entry.ts';
import { API_SERVER } from './manager-name.ts';
import { resetFilter } from './reset-fields.ts';
import { ownable } from './track.ts';
import { emptyObject, typedObject } from './versions.ts';

/** Who else has a part in a base object, and what: a controller that applies it, or the part nobody set. */
interface Part {
  readonly manager: string;
  readonly subresource: string;
  readonly fields: FieldSet;
}

const AGGREGATED: Part = {
  manager: 'clusterrole-aggregation-controller',
  subresource: '',
  fields: setOf(['f:rules']),
};

/** Fields that are filled in after whoever creates the object has been recorded. */
const FILLED_IN: Readonly<Record<string, FieldSet>> = {
  Namespace: setOf(['f:spec'], ['f:status']),
  Service: setOf(['f:spec', 'f:clusterIPs'], ['f:spec', 'f:ipFamilies']),
};

/** The managedFields of an object that is there from the beginning, as upstream's own writes would leave them. */
export function baseEntries(
  def: ResourceDef,
  object: KubeObject,
  time: string,
): ManagedFieldsEntry[] | undefined {
  const { schema, version } = typedObject(def, object);
  const parts = partsOf(def, object);
  const all = ownable(newFields(schema, emptyObject(def), object));
  const others = recursiveDifference(all, FILLED_IN[def.kind] ?? {});
  const filtered = resetFilter(def, '')?.(others) ?? others;
  const fields = parts.reduce(
    (left, part) => recursiveDifference(left, part.fields),
    recursiveDifference(filtered, setOf(['f:status'])),
  );
  const creator = identifierOf({
    manager: creatorOf(def),
    operation: 'Update',
    apiVersion: version,
    subresource: '',
  });
  const managers = new Map([[creator, { fields, version, applied: false }]]);
  for (const { manager, subresource, fields: own } of parts) {
    const identifier = identifierOf({
      manager,
      operation: 'Apply',
      apiVersion: version,
      subresource,
    });
    managers.set(identifier, { fields: own, version, applied: true });
  }
  const owners = [...managers].filter(([, owned]) => Object.keys(owned.fields).length > 0);
  const times = new Map(owners.map(([identifier]) => [identifier, time]));
  return encodeEntries({ managers: new Map(owners), times });
}

function creatorOf({ group }: ResourceDef): string {
  return group === 'flowcontrol.apiserver.k8s.io'
    ? 'api-priority-and-fairness-config-producer-v1'
    : API_SERVER;
}

function partsOf(def: ResourceDef, object: KubeObject): Part[] {
  if (def.kind === 'ClusterRole' && object['aggregationRule'] !== undefined) return [AGGREGATED];
  const conditions = statusFields(def, object);
  if (conditions === undefined) return [];
  if (def.kind === 'ServiceCIDR') {
    return [
      { manager: 'kubernetes-service-cidr-controller', subresource: 'status', fields: conditions },
    ];
  }
  if (def.kind === 'FlowSchema') {
    return [
      {
        manager: 'api-priority-and-fairness-config-consumer-v1',
        subresource: 'status',
        fields: conditions,
      },
    ];
  }
  return [];
}

function statusFields(def: ResourceDef, { status }: KubeObject): FieldSet | undefined {
  if (status === undefined) return undefined;
  const { schema } = typedObject(def, undefined);
  // Texts that are empty were not applied; Go writes them all the same.
  const applied = JSON.parse(JSON.stringify(status), (_key, value) =>
    value === '' ? undefined : value,
  );
  return difference(fieldSetOf(schema, { status: applied }), setOf(['f:status', 'f:conditions']));
}
