import { exceptFields, type FieldFilter, onlyMatching, setOf } from '@flotilla/machinery/apply';
import type { ResourceDef } from '../resources/resource.ts';

const fields = (...paths: readonly string[]): FieldFilter =>
  exceptFields(setOf(...paths.map((path) => path.split('.').map((name) => `f:${name}`))));

const NO_STATUS = fields('status');
const NO_SPEC = fields('spec');
const NO_SPEC_NOR_METADATA = fields('spec', 'metadata');
const RESOURCES_ALONE = { '*': { 'f:resources': true, 'f:resizePolicy': true } } as const;

/**
 * What writes to a resource cannot change, where it is not simply status for the resource itself and spec for its
 * status. By group, resource and subresource; false where upstream takes nothing away.
 */
const PARTICULAR: Readonly<Record<string, FieldFilter | false>> = {
  'admissionregistration.k8s.io/validatingadmissionpolicies/status': NO_SPEC_NOR_METADATA,
  'apiextensions.k8s.io/customresourcedefinitions/status': NO_SPEC_NOR_METADATA,
  'apiregistration.k8s.io/apiservices/status': NO_SPEC_NOR_METADATA,
  'apps/deployments/status': fields('spec', 'metadata.labels'),
  'certificates.k8s.io/certificatesigningrequests/': fields('spec', 'status'),
  'certificates.k8s.io/certificatesigningrequests/approval': fields('spec', 'status.certificate'),
  'certificates.k8s.io/certificatesigningrequests/status': fields('spec', 'status.conditions'),
  'flowcontrol.apiserver.k8s.io/flowschemas/status': NO_SPEC_NOR_METADATA,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations/status': NO_SPEC_NOR_METADATA,
  // Upstream names these by a group that does not exist, so that nothing is taken away.
  'networking.k8s.io/servicecidrs/': false,
  'networking.k8s.io/servicecidrs/status': false,
  'storage.k8s.io/volumeattachments/status': NO_SPEC_NOR_METADATA,
  '/namespaces/finalize': NO_STATUS,
  '/pods/ephemeralcontainers': onlyMatching({ 'f:spec': { 'f:ephemeralContainers': true } }),
  '/pods/resize': onlyMatching({
    'f:spec': { 'f:containers': RESOURCES_ALONE, 'f:initContainers': RESOURCES_ALONE },
  }),
  '/pods/status': fields('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'),
};

/** Takes from a set of fields what a write to the resource or one of its subresources cannot change. */
export function resetFilter(def: ResourceDef, subresource: string): FieldFilter | undefined {
  const particular = def.builtIn
    ? PARTICULAR[`${def.group}/${def.resource}/${subresource}`]
    : undefined;
  if (particular !== undefined) return particular === false ? undefined : particular;
  if (subresource === 'status') return NO_SPEC;
  return subresource === '' && def.subresources.has('status') ? NO_STATUS : undefined;
}
