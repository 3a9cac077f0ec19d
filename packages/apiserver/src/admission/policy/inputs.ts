import type { KubeObject } from '@flotilla/machinery';
import type { CelBindings } from '@flotilla/machinery/cel';
import type { Admission } from '../../objects/engine.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import { inVersion, kindUnder } from '../matching/equivalents.ts';
import { wireForm } from '../matching/forms.ts';
import { userInfo } from '../webhooks/review.ts';

/** What expressions see of a write under one of its resources; the same for all policies that match it so. */
export async function inputsOf(admission: Admission, def: ResourceDef): Promise<CelBindings> {
  const kind = kindUnder(admission, def);
  const there = { from: admission.def, to: def };
  const object = wireForm(await inVersion(admission.object, admission, there), kind, def);
  const oldObject = wireForm(await inVersion(admission.old, admission, there), kind, def);
  return {
    object: object ?? null,
    oldObject: oldObject ?? null,
    request: requestOf(admission, def),
  };
}

/** The request without its objects; empty texts are absent, as Go leaves them out. */
function requestOf(admission: Admission, def: ResourceDef): Record<string, unknown> {
  const { subresource, name, namespace, operation, user, dryRun, origin } = admission;
  const sub = subresource === '' ? {} : { subResource: subresource };
  const requestSub = subresource === '' ? {} : { requestSubResource: subresource };
  return {
    kind: { ...kindUnder(admission, def) },
    resource: resourceOf(def),
    ...sub,
    requestKind: { ...kindUnder(admission, admission.def) },
    requestResource: resourceOf(admission.def),
    ...requestSub,
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options: origin?.options ?? null,
  };
}

const resourceOf = ({ group, version, resource }: ResourceDef) => ({ group, version, resource });

const NAMESPACE_METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
] as const;

/** The parts of a namespace that expressions may see. */
export function shownNamespace(namespace: KubeObject): Record<string, unknown> {
  const { metadata } = namespace;
  return {
    metadata: Object.fromEntries(
      NAMESPACE_METADATA.filter((name) => name in metadata).map((name) => [
        name,
        (metadata as Record<string, unknown>)[name],
      ]),
    ),
    spec: namespace['spec'] ?? {},
    status: namespace['status'] ?? {},
  };
}
