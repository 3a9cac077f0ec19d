import {
  byteLength,
  deepEqual,
  type FieldError,
  invalid,
  isDNS1123Subdomain,
  required,
  validateImmutable,
} from '@flotilla/machinery';
import type { Cell, KindBehaviour } from '../behaviour.ts';
import { since } from './cells.ts';
import {
  type CoreEvent,
  coreEventOf,
  type EventsEvent,
  type ObjectReference,
} from './event-conversion.ts';
import { validateQualifiedName } from './fields.ts';

const MAX_FIELD_BYTES = 128;
const MAX_NOTE_BYTES = 1024;

/** Events of the core group: only what older clients were always held to. */
export const coreEvent: KindBehaviour<CoreEvent> = {
  nameRule: 'path-segment',
  createOnUpdate: true,
  validate: (object) => validateLegacy(object, 'reportingComponent'),
  selectableFields: {
    'involvedObject.kind': (object) => object.involvedObject.kind ?? '',
    'involvedObject.namespace': (object) => object.involvedObject.namespace ?? '',
    'involvedObject.name': (object) => object.involvedObject.name ?? '',
    'involvedObject.uid': (object) => object.involvedObject.uid ?? '',
    'involvedObject.apiVersion': (object) => object.involvedObject.apiVersion ?? '',
    'involvedObject.resourceVersion': (object) => object.involvedObject.resourceVersion ?? '',
    'involvedObject.fieldPath': (object) => object.involvedObject.fieldPath ?? '',
    reason: (object) => object.reason ?? '',
    reportingComponent: (object) => object.reportingComponent,
    source: (object) => object.source.component || object.reportingComponent,
    type: (object) => object.type ?? '',
  },
  cells,
};

/** Events of events.k8s.io/v1: the same objects, held to stricter rules. */
export const eventsEvent: KindBehaviour<EventsEvent> = {
  createOnUpdate: true,
  validate: (object) => {
    const event = coreEventOf(object);
    return [...validateLegacy(event, 'reportingController'), ...validateStrict(event)];
  },
  validateOnUpdate: false,
  validateUpdate: (object, old) => {
    const event = coreEventOf(object);
    return [
      ...validateLegacy(event, 'reportingController'),
      ...validateUnchanged(event, coreEventOf(old)),
    ];
  },
  selectableFields: {
    'regarding.kind': (object) => object.regarding.kind ?? '',
    'regarding.namespace': (object) => object.regarding.namespace ?? '',
    'regarding.name': (object) => object.regarding.name ?? '',
    'regarding.uid': (object) => object.regarding.uid ?? '',
    'regarding.apiVersion': (object) => object.regarding.apiVersion ?? '',
    'regarding.resourceVersion': (object) => object.regarding.resourceVersion ?? '',
    'regarding.fieldPath': (object) => object.regarding.fieldPath ?? '',
    reason: (object) => object.reason ?? '',
    reportingController: (object) => object.reportingController ?? '',
    type: (object) => object.type ?? '',
  },
  cells: (object, context) => cells(coreEventOf(object), context),
};

function validateLegacy(event: CoreEvent, controllerField: string): FieldError[] {
  const namespace = event.metadata.namespace ?? '';
  const about = event.involvedObject.namespace ?? '';
  const errors: FieldError[] = [];
  if (!namespacesAgree(namespace, about, event.eventTime === null)) {
    errors.push(invalid('involvedObject.namespace', about, 'does not match event.namespace'));
  }
  if (event.eventTime !== null) errors.push(...validateReporting(event, controllerField));
  for (const message of isDNS1123Subdomain(namespace)) {
    errors.push(invalid('namespace', namespace, message));
  }
  return errors;
}

/** Events about cluster-wide objects live in `default`; those with an event time also in `kube-system`. */
function namespacesAgree(namespace: string, about: string, legacy: boolean): boolean {
  if (legacy) return about === '' ? ['', 'default'].includes(namespace) : namespace === about;
  return about !== '' || ['default', 'kube-system'].includes(namespace);
}

function validateReporting(event: CoreEvent, controllerField: string): FieldError[] {
  const { reportingComponent, reportingInstance, action = '', reason = '' } = event;
  const errors: FieldError[] = [];
  if (reportingComponent === '') errors.push(required(controllerField));
  errors.push(
    ...validateQualifiedName(reportingComponent, controllerField),
    ...validateText(reportingInstance, 'reportingInstance'),
    ...validateText(action, 'action'),
    ...validateText(reason, 'reason'),
  );
  if (byteLength(event.message ?? '') > MAX_NOTE_BYTES) {
    errors.push(invalid('message', '', `can have at most ${MAX_NOTE_BYTES} characters`));
  }
  return errors;
}

function validateText(text: string, path: string): FieldError[] {
  if (text === '') return [required(path)];
  if (byteLength(text) <= MAX_FIELD_BYTES) return [];
  return [invalid(path, '', `can have at most ${MAX_FIELD_BYTES} characters`)];
}

function validateStrict(event: CoreEvent): FieldError[] {
  const errors = validateSeries(event);
  const unset = 'needs to be unset';
  if (event.eventTime === null) errors.push(required('eventTime'));
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    errors.push(invalid('type', '', `has invalid value: ${event.type ?? ''}`));
  }
  if (event.firstTimestamp !== null) errors.push(invalid('firstTimestamp', '', unset));
  if (event.lastTimestamp !== null) errors.push(invalid('lastTimestamp', '', unset));
  if (event.count) errors.push(invalid('count', '', unset));
  if (event.source.component || event.source.host) errors.push(invalid('source', '', unset));
  return errors;
}

function validateSeries({ series }: CoreEvent): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (!series.lastObservedTime) errors.push(required('series.lastObservedTime'));
  return errors;
}

function validateUnchanged(event: CoreEvent, old: CoreEvent): FieldError[] {
  const same = (field: keyof CoreEvent & string, path = field) =>
    validateImmutable(event[field], old[field], path);
  const sameReference = (field: 'involvedObject' | 'related') =>
    validateImmutable(shownReference(event[field]), shownReference(old[field]), field);
  return [
    ...(deepEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...sameReference('involvedObject'),
    ...same('reason'),
    ...same('message'),
    ...validateImmutable(shownSource(event), shownSource(old), 'source'),
    ...same('firstTimestamp'),
    ...same('lastTimestamp'),
    ...same('count'),
    ...same('reason'),
    ...same('type'),
    ...same('eventTime'),
    ...same('action'),
    ...sameReference('related'),
    ...same('reportingComponent', 'reportingController'),
    ...same('reportingInstance'),
  ];
}

/** References and sources as upstream's internal types print them. */
function shownReference(reference: ObjectReference | undefined): unknown {
  if (reference === undefined) return null;
  return {
    Kind: reference.kind ?? '',
    Namespace: reference.namespace ?? '',
    Name: reference.name ?? '',
    UID: reference.uid ?? '',
    APIVersion: reference.apiVersion ?? '',
    ResourceVersion: reference.resourceVersion ?? '',
    FieldPath: reference.fieldPath ?? '',
  };
}

function shownSource({ source }: CoreEvent): unknown {
  return { Component: source.component ?? '', Host: source.host ?? '' };
}

function cells(event: CoreEvent, { now }: { now: Date }): Cell[] {
  const first = since(event.firstTimestamp ?? event.eventTime, now);
  const last = event.lastTimestamp === null ? first : since(event.lastTimestamp, now);
  const { kind = '', name, fieldPath = '' } = event.involvedObject;
  return [
    event.series === undefined ? last : since(event.series.lastObservedTime, now),
    event.type ?? '',
    event.reason ?? '',
    name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(),
    fieldPath,
    sourceCell(event),
    (event.message ?? '').trim(),
    first,
    // Events without a series that nobody counted happened once.
    event.series === undefined ? event.count || 1 : (event.series.count ?? 0),
    event.metadata.name ?? '',
  ];
}

function sourceCell({ source, reportingComponent, reportingInstance }: CoreEvent): string {
  const component = source.component || reportingComponent;
  const instance = source.host || reportingInstance;
  return instance === '' ? component : `${component}, ${instance}`;
}
