import {
  badRequest,
  conflict,
  deepCopy,
  type FieldError,
  formatFieldErrors,
  formatTime,
  type KubeObject,
  notSupported,
  required,
  StatusError,
} from '@flotilla/machinery';
import { readObject } from '../handlers/body.ts';
import { writeOptions } from '../handlers/options.ts';
import { admissionOfCreate } from '../handlers/subresource-admission.ts';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { requireStored, retryOnConflict, writeObject } from '../objects/stored.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { success } from './success.ts';

interface Condition {
  type: string;
  status: string;
  [field: string]: unknown;
}

/** POST of a Binding, to pods/NAME/binding or to bindings: assigns a pod to a node. */
export async function bind(engine: Engine, scope: Scope, pods: ResourceDef): Promise<ApiResponse> {
  const { info, tenant, request } = scope;
  const options = writeOptions(request.query, 'CreateOptions');
  const binding = await readObject(scope, {
    ...options,
    kind: { group: '', version: 'v1', kind: 'Binding' },
  });
  const admission = admissionOfCreate(scope, { object: binding, dryRun: options.dryRun });
  await engine.admit(admission);
  const name = info.subresource === 'binding' ? info.name : (binding.metadata.name ?? '');
  if (name !== binding.metadata.name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const target = (binding['target'] ?? {}) as { kind?: string; name?: string };
  const errors = validate(target);
  // Upstream has no code for this, so it comes out as 500 with the bare text.
  if (errors.length > 0) throw new StatusError(500, '', formatFieldErrors(errors));

  await engine.validate(admission);

  const pod = { tenant, def: pods, namespace: info.namespace, name };
  await retryOnConflict(pod, async () => {
    const current = requireStored(engine, pod);
    checkIdentity(binding, current.object, name);
    const next = assigned(current.object, binding, {
      node: target.name ?? '',
      now: engine.now(),
    });
    if (options.dryRun) return;
    await writeObject(engine, pod, {
      object: pods.storedForm(next),
      expect: current.revision,
    });
  });
  return success(201);
}

function validate(target: { kind?: string; name?: string }): FieldError[] {
  const errors: FieldError[] = [];
  if (target.kind !== undefined && target.kind !== '' && target.kind !== 'Node') {
    errors.push(notSupported('target.kind', target.kind, ['Node', '<empty>']));
  }
  if ((target.name ?? '') === '') errors.push(required('target.name', ''));
  return errors;
}

const PODS = { group: '', resource: 'pods' };
const BINDING = { group: '', resource: 'pods/binding' };

function checkIdentity(binding: KubeObject, pod: KubeObject, name: string): void {
  const { uid = '', resourceVersion = '' } = binding.metadata;
  if (uid !== '' && uid !== pod.metadata.uid) {
    throw conflict(
      PODS,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid ?? ''}`,
    );
  }
  if (resourceVersion !== '' && resourceVersion !== pod.metadata.resourceVersion) {
    throw conflict(
      PODS,
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${pod.metadata.resourceVersion ?? ''}`,
    );
  }
}

function assigned(
  pod: KubeObject,
  binding: KubeObject,
  { node, now }: { node: string; now: Date },
): KubeObject {
  const next = deepCopy(pod);
  const name = next.metadata.name ?? '';
  const spec = next['spec'] as { nodeName?: string; schedulingGates?: unknown[] };
  if (next.metadata.deletionTimestamp !== undefined) {
    throw conflict(BINDING, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec.nodeName ?? '') !== '') {
    throw conflict(
      BINDING,
      name,
      `pod ${name} is already assigned to node "${spec.nodeName ?? ''}"`,
    );
  }
  if ((spec.schedulingGates ?? []).length > 0) {
    throw conflict(BINDING, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  spec.nodeName = node;
  // Annotations only: labels decide what selects a pod, and binding it gives no right to change them.
  const { annotations = {} } = binding.metadata;
  if (Object.keys(annotations).length > 0) {
    next.metadata.annotations = { ...next.metadata.annotations, ...annotations };
  }
  const status = (next['status'] ?? {}) as { conditions?: Condition[]; nominatedNodeName?: string };
  delete status.nominatedNodeName;
  const conditions = (status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  next['status'] = {
    ...status,
    conditions: [
      ...conditions,
      {
        type: 'PodScheduled',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: formatTime(now),
      },
    ],
  };
  return next;
}
