import { defineKind, type KindTable } from '../core/define-kind.ts';
import { validatingAdmissionPolicy } from './admission-policy.ts';
import { validatingAdmissionPolicyBinding } from './admission-policy-binding.ts';
import { apiService } from './api-service.ts';
import { autoscalerV1, autoscalerV2 } from './autoscaler.ts';
import { certificateSigningRequest } from './certificate-signing-request.ts';
import { csiDriver, csiNode, csiStorageCapacity } from './csi.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { flowSchema } from './flow-schema.ts';
import { ingress } from './ingress.ts';
import { ingressClass } from './ingress-class.ts';
import { lease } from './lease.ts';
import { networkPolicy } from './network-policy.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';
import { priorityClass } from './priority-class.ts';
import { priorityLevelConfiguration } from './priority-level.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';
import {
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
} from './resource-claims.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  subjectAccessReview,
  tokenRequest,
} from './reviews.ts';
import { runtimeClass } from './runtime-class.ts';
import { ipAddress, serviceCidr } from './service-network.ts';
import { storageClass, volumeAttributesClass } from './storage-class.ts';
import { volumeAttachment } from './volume-attachment.ts';
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from './webhook-configuration.ts';

/** Kinds of every group but the core's and the workloads'. */
export const clusterKinds: KindTable = {
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': defineKind(
    mutatingWebhookConfiguration,
  ),
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy':
    defineKind(validatingAdmissionPolicy),
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': defineKind(
    validatingAdmissionPolicyBinding,
  ),
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': defineKind(
    validatingWebhookConfiguration,
  ),
  'apiextensions.k8s.io/v1/CustomResourceDefinition': defineKind(customResourceDefinition),
  'apiregistration.k8s.io/v1/APIService': defineKind(apiService),
  'authentication.k8s.io/v1/TokenRequest': defineKind(tokenRequest),
  'authorization.k8s.io/v1/LocalSubjectAccessReview': defineKind(localSubjectAccessReview),
  'authorization.k8s.io/v1/SelfSubjectAccessReview': defineKind(selfSubjectAccessReview),
  'authorization.k8s.io/v1/SubjectAccessReview': defineKind(subjectAccessReview),
  'autoscaling/v1/HorizontalPodAutoscaler': defineKind(autoscalerV1),
  'autoscaling/v2/HorizontalPodAutoscaler': defineKind(autoscalerV2),
  'certificates.k8s.io/v1/CertificateSigningRequest': defineKind(certificateSigningRequest),
  'coordination.k8s.io/v1/Lease': defineKind(lease),
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': defineKind(flowSchema),
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': defineKind(
    priorityLevelConfiguration,
  ),
  'networking.k8s.io/v1/IPAddress': defineKind(ipAddress),
  'networking.k8s.io/v1/Ingress': defineKind(ingress),
  'networking.k8s.io/v1/IngressClass': defineKind(ingressClass),
  'networking.k8s.io/v1/NetworkPolicy': defineKind(networkPolicy),
  'networking.k8s.io/v1/ServiceCIDR': defineKind(serviceCidr),
  'node.k8s.io/v1/RuntimeClass': defineKind(runtimeClass),
  'policy/v1/PodDisruptionBudget': defineKind(podDisruptionBudget),
  'rbac.authorization.k8s.io/v1/ClusterRole': defineKind(clusterRole),
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': defineKind(clusterRoleBinding),
  'rbac.authorization.k8s.io/v1/Role': defineKind(role),
  'rbac.authorization.k8s.io/v1/RoleBinding': defineKind(roleBinding),
  'resource.k8s.io/v1/DeviceClass': defineKind(deviceClass),
  'resource.k8s.io/v1/ResourceClaim': defineKind(resourceClaim),
  'resource.k8s.io/v1/ResourceClaimTemplate': defineKind(resourceClaimTemplate),
  'resource.k8s.io/v1/ResourceSlice': defineKind(resourceSlice),
  'scheduling.k8s.io/v1/PriorityClass': defineKind(priorityClass),
  'storage.k8s.io/v1/CSIDriver': defineKind(csiDriver),
  'storage.k8s.io/v1/CSINode': defineKind(csiNode),
  'storage.k8s.io/v1/CSIStorageCapacity': defineKind(csiStorageCapacity),
  'storage.k8s.io/v1/StorageClass': defineKind(storageClass),
  'storage.k8s.io/v1/VolumeAttachment': defineKind(volumeAttachment),
  'storage.k8s.io/v1/VolumeAttributesClass': defineKind(volumeAttributesClass),
};
