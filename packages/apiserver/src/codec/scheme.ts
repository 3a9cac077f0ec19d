import { goQuote } from '@flotilla/machinery';
import { GoDecodeError } from './pass.ts';
import type { GroupVersionKind } from './type-tables.ts';

/** A group and a version of it. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Versions upstream can read but does not serve by default; objects in them are told apart from unknown ones. */
const UNSERVED = new Set(
  [
    'apiextensions.k8s.io/v1beta1 apiregistration.k8s.io/v1beta1',
    'admissionregistration.k8s.io/v1alpha1 admissionregistration.k8s.io/v1beta1 apps/v1beta1 apps/v1beta2',
    'authentication.k8s.io/v1beta1 authorization.k8s.io/v1beta1',
    'autoscaling/v2beta1 autoscaling/v2beta2 batch/v1beta1 certificates.k8s.io/v1alpha1 certificates.k8s.io/v1beta1 coordination.k8s.io/v1alpha2',
    'coordination.k8s.io/v1beta1 discovery.k8s.io/v1beta1 events.k8s.io/v1beta1 extensions/v1beta1',
    'flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2',
    'flowcontrol.apiserver.k8s.io/v1beta3 internal.apiserver.k8s.io/v1alpha1 networking.k8s.io/v1beta1',
    'node.k8s.io/v1alpha1 node.k8s.io/v1beta1 policy/v1beta1 rbac.authorization.k8s.io/v1alpha1',
    'rbac.authorization.k8s.io/v1beta1 resource.k8s.io/v1alpha3 resource.k8s.io/v1beta1',
    'resource.k8s.io/v1beta2 scheduling.k8s.io/v1alpha1 scheduling.k8s.io/v1beta1 storage.k8s.io/v1alpha1',
    'storage.k8s.io/v1beta1 storagemigration.k8s.io/v1alpha1',
  ].flatMap((line) => line.split(' ')),
);

/** The group upstream keeps a group's objects in, where it is not the group itself. */
const sharedGroups: Readonly<Record<string, string>> = { 'events.k8s.io': '', extensions: 'apps' };

/** Where upstream registers the kinds of groups that have a scheme of their own; clients see it in errors. */
const ownSchemes: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io': 'pkg/apiserver/apiserver.go:55',
  'apiregistration.k8s.io': 'pkg/apiserver/scheme/scheme.go:28',
};

/** The scheme that reads delete options. */
export const OPTIONS_SCHEME = 'pkg/apis/meta/internalversion/scheme/register.go:27';

/** The scheme that reads objects of a group. */
export function schemeOf(group: string): string {
  return ownSchemes[group] ?? 'pkg/api/legacyscheme/scheme.go:30';
}

/** Upstream's text for a kind it does not know. */
export function notRegistered(gvk: GroupVersionKind, scheme: string): GoDecodeError {
  const version = goQuote(formatGroupVersion(gvk));
  return new GoDecodeError(
    `no kind ${goQuote(gvk.kind)} is registered for version ${version} in scheme ${goQuote(scheme)}`,
  );
}

/** Whether upstream reads this version although it does not serve it. */
export function isUnserved(gv: GroupVersion): boolean {
  return UNSERVED.has(formatGroupVersion(gv));
}

/** Whether objects of both kinds are the same thing to upstream once read, whatever version they came in. */
export function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && homeGroup(a.group) === homeGroup(b.group);
}

function homeGroup(group: string): string {
  return sharedGroups[group] ?? group;
}

/** Upstream's text for an object of one kind sent where another is expected. */
export function unknownConversion(from: GroupVersionKind, to: GroupVersionKind): GoDecodeError {
  return new GoDecodeError(
    `converting (${from.version}.${from.kind}) to (${internalPackage(to.group)}.${to.kind}): unknown conversion`,
  );
}

/** The Go package of a group's internal types. */
function internalPackage(group: string): string {
  const home = homeGroup(group);
  if (home === '') return 'core';
  return home === 'internal.apiserver.k8s.io' ? 'apiserverinternal' : (home.split('.')[0] ?? home);
}

/** Splits an apiVersion; throws with upstream's text when it has too many parts. */
export function parseGroupVersion(apiVersion: string): GroupVersion {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const parts = apiVersion.split('/');
  if (parts.length > 2) {
    throw new GoDecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  const [first = '', second] = parts;
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

/** The apiVersion of a group version. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}
