import { binding } from './binding.ts';
import { componentStatus } from './component-status.ts';
import { configMap } from './config-map.ts';
import { defineKind, type KindTable } from './define-kind.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { endpoints } from './endpoints.ts';
import { coreEvent, eventsEvent } from './event.ts';
import { limitRange } from './limit-range.ts';
import { namespace } from './namespace.ts';
import { node } from './node.ts';
import { persistentVolume } from './persistent-volume.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { resourceQuota } from './resource-quota.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';

/** Kinds of the core group that are neither pods nor workloads, and those that moved out of it. */
export const coreKinds: KindTable = {
  '/v1/Binding': defineKind(binding),
  '/v1/ComponentStatus': defineKind(componentStatus),
  '/v1/ConfigMap': defineKind(configMap),
  '/v1/Endpoints': defineKind(endpoints),
  '/v1/Event': defineKind(coreEvent),
  '/v1/LimitRange': defineKind(limitRange),
  '/v1/Namespace': defineKind(namespace),
  '/v1/Node': defineKind(node),
  '/v1/PersistentVolume': defineKind(persistentVolume),
  '/v1/PersistentVolumeClaim': defineKind(persistentVolumeClaim),
  '/v1/ResourceQuota': defineKind(resourceQuota),
  '/v1/Secret': defineKind(secret),
  '/v1/Service': defineKind(service),
  '/v1/ServiceAccount': defineKind(serviceAccount),
  'discovery.k8s.io/v1/EndpointSlice': defineKind(endpointSlice),
  'events.k8s.io/v1/Event': defineKind(eventsEvent),
};
