import {
  at,
  child,
  type FieldError,
  immutableDetail,
  invalid,
  type KubeObject,
  required,
  validateImmutable,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateDNSSubdomain, validatePathSegment } from '../core/fields.ts';
import { parseCidr } from '../core/ip-address.ts';
import { strictIpMessages, validateStrictCidr } from '../core/ip-fields.ts';
import { validateRequiredSegment } from './ingress-class.ts';

interface ParentReference {
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}

interface IPAddress extends KubeObject {
  spec: { parentRef?: ParentReference };
}

interface ServiceCIDR extends KubeObject {
  spec: { cidrs?: string[] };
  status: { conditions?: unknown[] };
}

/** One address in use, named after itself. */
export const ipAddress: KindBehaviour<IPAddress> = {
  nameRule: strictIpMessages,
  validate: ({ spec }) => validateParent(spec.parentRef),
  validateUpdate: (object, old) =>
    validateImmutable(shownParent(object), shownParent(old), 'spec.parentRef'),
  cells: (object, { now }) => [
    nameCell(object),
    parentCell(object.spec.parentRef),
    age(object, now),
  ],
};

/** A range of addresses Services get theirs from. */
export const serviceCidr: KindBehaviour<ServiceCIDR> = {
  keepsMetadataOnStatus: true,
  validate: ({ spec }) => validateCidrs(spec.cidrs ?? []),
  validateOnUpdate: false,
  validateUpdate: ({ spec }, old) => validateCidrChange(spec.cidrs ?? [], old.spec.cidrs ?? []),
  cells: (object, { now }) => [
    nameCell(object),
    (object.spec.cidrs ?? []).join(','),
    age(object, now),
  ],
};

function validateParent(parent: ParentReference | undefined): FieldError[] {
  const path = 'spec.parentRef';
  if (parent === undefined) return [required(path)];
  return [
    ...(parent.group ? validateDNSSubdomain(parent.group, child(path, 'group')) : []),
    ...validateRequiredSegment(parent.resource ?? '', child(path, 'resource')),
    ...validateRequiredSegment(parent.name ?? '', child(path, 'name')),
    ...(parent.namespace ? validatePathSegment(parent.namespace, child(path, 'namespace')) : []),
  ];
}

function shownParent({ spec: { parentRef } }: IPAddress): unknown {
  if (parentRef === undefined) return null;
  const { group = '', resource = '', namespace = '', name = '' } = parentRef;
  return { Group: group, Resource: resource, Namespace: namespace, Name: name };
}

function parentCell(parent: ParentReference | undefined): string {
  if (parent === undefined) return '<none>';
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  const kind = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
  return [kind, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

function validateCidrs(cidrs: readonly string[]): FieldError[] {
  const path = 'spec.cidrs';
  if (cidrs.length === 0) return [required(path, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalid(path, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const errors = cidrs.flatMap((cidr, index) => validateStrictCidr(cidr, at(path, index)));
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.family);
  if (cidrs.length === 2 && first !== undefined && first === second) {
    const detail =
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    errors.push(invalid(path, cidrs, detail));
  }
  return errors;
}

/** A second family may be added; nothing else may change. */
function validateCidrChange(next: readonly string[], old: readonly string[]): FieldError[] {
  const path = 'spec.cidrs';
  if (next.length === old.length) {
    return old.flatMap((cidr, index) =>
      cidr === next[index] ? [] : [invalid(at(path, index), next[index], immutableDetail)],
    );
  }
  if (old.length !== 1 || next.length !== 2) return [invalid(path, next, immutableDetail)];
  const kept = next[0] === old[0] ? [] : [invalid(at(path, 0), next[0], immutableDetail)];
  return [...kept, ...validateCidrs(next)];
}
