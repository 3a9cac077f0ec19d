import {
  deepCopy,
  deepEqual,
  type FieldError,
  forbidden,
  formatTime,
  goQuote,
  isDNS1123Label,
} from '@flotilla/machinery';
import type { KindContext, RowCondition } from '../behaviour.ts';
import { defineKind } from '../core/define-kind.ts';
import { repeatMetadata } from '../finalizer-names.ts';
import { addressWarnings } from './addresses.ts';
import type { LabelSelector } from './api-values.ts';
import { visitContainers } from './containers-of.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { podCells } from './pod-cells.ts';
import { copyServiceAccount, setPodDefaults } from './pod-defaults.ts';
import { affinityTerms, podOptions } from './pod-options.ts';
import { keepResizedFields, podResizeErrors } from './pod-resize.ts';
import { podErrors } from './pod-spec.ts';
import { keepObservedGenerations, podStatusErrors } from './pod-status.ts';
import type { Pod } from './pod-types.ts';
import { internalDiff, podSpecUpdateErrors } from './pod-update.ts';
import { podWarnings } from './pod-warnings.ts';
import {
  appArmorFromAnnotation,
  appArmorPrefix,
  mirrorAnnotation,
  podAnnotationErrors,
  podAnnotationUpdateErrors,
  profileMatchErrors,
} from './profile-annotations.ts';
import { qosClass } from './qos.ts';

/** v1 Pod. */
export const pod = defineKind<Pod>({
  generation: 'spec',
  validateOnUpdate: false,
  defaults: setPodDefaults,
  prepareForCreate,
  prepareForUpdate: (object, old) => dropDisabledFields(object.spec, old.spec),
  validate: (object) => [
    ...podErrors(object, podOptions(undefined, true)),
    ...createErrors(object),
  ],
  validateUpdate: (object, old) => [
    ...changedPodErrors(object, old),
    ...podSpecUpdateErrors(object, old),
  ],
  prepareForStatusUpdate: (object, old) => {
    restoreMeta(object, old, ['ownerReferences']);
    if (!object.status.qosClass && old.status.qosClass)
      object.status.qosClass = old.status.qosClass;
    keepObservedGenerations(object.status, old.status);
    dropDisabledStatus(object);
  },
  validateStatusUpdate: (object, old) => podStatusErrors(object, old, optionsFor(old)),
  subresources: {
    ephemeralcontainers: {
      prepareForUpdate: (object, old) => {
        const added = object.spec.ephemeralContainers;
        object.spec = deepCopy(old.spec);
        object.status = deepCopy(old.status);
        if (added === undefined) delete object.spec.ephemeralContainers;
        else object.spec.ephemeralContainers = added;
        finishSpecWrite(object, old);
      },
      validateUpdate: ephemeralUpdateErrors,
    },
    resize: {
      prepareForUpdate: (object, old) => {
        keepResizedFields(object, deepCopy(old));
        finishSpecWrite(object, old);
      },
      validateUpdate: (object, old) =>
        podResizeErrors(object, old, [
          ...repeatMetadata(object.metadata),
          ...podErrors(object, optionsFor(old)),
        ]),
    },
  },
  warnings: (object, old, context) => {
    if (context.subresource === 'status') return statusWarnings(object);
    return old === undefined ? createWarnings(object) : [];
  },
  gracePeriod: ({ spec, status }, asked) => {
    if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
    const period = asked ?? Number(spec.terminationGracePeriodSeconds ?? 0);
    return period < 0 ? 1 : period;
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => `${spec.hostNetwork ?? false}`,
    'status.phase': ({ status }) => status.phase ?? '',
    'status.podIP': ({ status }) => status.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName ?? '',
  },
  cells: podCells,
  rowConditions: ({ status }) => completed[status.phase ?? ''],
});

/** What a finished pod's row says of itself; kubectl greys it out. */
const completed: Readonly<Record<string, readonly RowCondition[]>> = {
  Succeeded: [
    {
      type: 'Completed',
      status: 'True',
      reason: 'Succeeded',
      message: 'The pod has completed successfully.',
    },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
};

function prepareForCreate(object: Pod, { now }: KindContext): void {
  const { spec } = object;
  // Admission may have chosen the service account, and knows only the new field.
  copyServiceAccount(spec);
  object.status = { phase: 'Pending', qosClass: qosClass(spec) };
  dropDisabledFields(spec, undefined);
  if ((spec.schedulingGates ?? []).length > 0) {
    object.status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: formatTime(now()),
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  const labels = object.metadata.labels ?? {};
  for (const term of affinityTerms(spec)) {
    addLabelKeys(term.labelSelector, term.matchLabelKeys, { operator: 'In', labels });
    addLabelKeys(term.labelSelector, term.mismatchLabelKeys, { operator: 'NotIn', labels });
  }
  for (const spread of spec.topologySpreadConstraints ?? []) {
    addLabelKeys(spread.labelSelector, spread.matchLabelKeys, { operator: 'In', labels });
  }
  copyAppArmorAnnotations(object);
}

/** Label keys taken from the pod become requirements with the pod's own values. */
function addLabelKeys(
  selector: LabelSelector | undefined,
  keys: readonly string[] | undefined,
  { operator, labels }: { operator: string; labels: Readonly<Record<string, string>> },
): void {
  if (selector === undefined) return;
  for (const key of keys ?? []) {
    const value = labels[key];
    if (value === undefined) continue;
    selector.matchExpressions = [
      ...(selector.matchExpressions ?? []),
      { key, operator, values: [value] },
    ];
  }
}

/** An AppArmor annotation without its field sets the field. */
function copyAppArmorAnnotations({ metadata, spec }: Pod): void {
  if (spec.os?.name === 'windows') return;
  for (const { container } of visitContainers(spec)) {
    const annotation = metadata.annotations?.[appArmorPrefix + container.name];
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const profile = appArmorFromAnnotation(annotation);
    if (profile === undefined || deepEqual(profile, spec.securityContext?.appArmorProfile))
      continue;
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  }
}

function createErrors({ metadata, spec }: Pod): FieldError[] {
  return [
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(spec.nodeName && (spec.schedulingGates ?? []).length > 0
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...profileMatchErrors(spec, metadata.annotations, 'spec'),
  ];
}

function changedPodErrors(object: Pod, old: Pod): FieldError[] {
  const options = optionsFor(old);
  const path = 'metadata.annotations';
  const { annotations } = object.metadata;
  return [
    ...repeatMetadata(object.metadata),
    ...podErrors(object, options),
    ...podAnnotationUpdateErrors(annotations, old.metadata.annotations, path),
    // Once more, as upstream does.
    ...podAnnotationErrors(annotations, path, {
      spec: object.spec,
      allowInvalidCost: options.allowInvalidDeletionCost,
    }),
  ];
}

function ephemeralUpdateErrors(object: Pod, old: Pod): FieldError[] {
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    return [forbidden('', 'static pods do not support ephemeral containers')];
  }
  const path = 'spec.ephemeralContainers';
  const errors = changedPodErrors(object, old);
  for (const before of old.spec.ephemeralContainers ?? []) {
    const name = goQuote(before.name);
    const after = (object.spec.ephemeralContainers ?? []).findLast(
      (each) => each.name === before.name,
    );
    if (after === undefined) {
      errors.push(forbidden(path, `existing ephemeral containers ${name} may not be removed\n`));
    } else if (!deepEqual(before, after)) {
      const diff = internalDiff('EphemeralContainer', before, after);
      errors.push(
        forbidden(path, `existing ephemeral containers ${name} may not be changed\n${diff}`),
      );
    }
  }
  return errors;
}

function optionsFor(old: Pod) {
  return podOptions({ spec: old.spec, annotations: old.metadata.annotations }, true);
}

/** A write to a part of the spec leaves metadata alone and counts as a generation when it changed something. */
function finishSpecWrite(object: Pod, old: Pod): void {
  restoreMeta(object, old, ['labels', 'annotations', 'finalizers', 'ownerReferences']);
  dropDisabledFields(object.spec, old.spec);
  if (!deepEqual(object.spec, old.spec)) {
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
}

function restoreMeta(
  object: Pod,
  old: Pod,
  fields: readonly ('labels' | 'annotations' | 'finalizers' | 'ownerReferences')[],
): void {
  for (const field of fields) {
    const value = old.metadata[field];
    if (value === undefined) delete object.metadata[field];
    else Object.assign(object.metadata, { [field]: deepCopy(value) });
  }
}

function dropDisabledStatus({ status }: Pod): void {
  delete status.extendedResourceClaimStatus;
  for (const container of [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ]) {
    delete container.allocatedResourcesStatus;
  }
}

function createWarnings(object: Pod): string[] {
  const problems = isDNS1123Label(object.metadata.name ?? '');
  return [
    ...appArmorWarnings(object),
    ...(problems.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
        ]),
    ...podWarnings(object.spec, object.metadata.annotations, ''),
  ];
}

/** Annotations that set the field, or that could not. */
function appArmorWarnings({ metadata, spec }: Pod): string[] {
  if (spec.os?.name === 'windows') return [];
  const podProfile = spec.securityContext?.appArmorProfile;
  return visitContainers(spec).flatMap(({ container }) => {
    const key = appArmorPrefix + container.name;
    const annotation = metadata.annotations?.[key];
    if (annotation === undefined) return [];
    const profile = appArmorFromAnnotation(annotation);
    if (profile !== undefined && deepEqual(profile, podProfile)) return [];
    return [
      `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ];
  });
}

function statusWarnings({ status }: Pod): string[] {
  return (['podIPs', 'hostIPs'] as const).flatMap((field) =>
    (status[field] ?? []).flatMap(({ ip = '' }, index) =>
      addressWarnings(ip, `status.${field}[${index}].ip`),
    ),
  );
}
