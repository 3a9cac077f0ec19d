import { parseGroupVersion } from '@flotilla/machinery';
import type { ApiGroup, ApiResource, ApiSurface } from './surface.ts';

/** Kind, plural, scope and short names of what can be listed, by group version, in a server's own order (1.34). */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'ComponentStatus componentstatuses cluster cs',
    'ConfigMap configmaps namespaced cm',
    'Endpoints endpoints namespaced ep',
    'Event events namespaced ev',
    'LimitRange limitranges namespaced limits',
    'Namespace namespaces cluster ns',
    'Node nodes cluster no',
    'PersistentVolumeClaim persistentvolumeclaims namespaced pvc',
    'PersistentVolume persistentvolumes cluster pv',
    'Pod pods namespaced po',
    'PodTemplate podtemplates namespaced',
    'ReplicationController replicationcontrollers namespaced rc',
    'ResourceQuota resourcequotas namespaced quota',
    'Secret secrets namespaced',
    'ServiceAccount serviceaccounts namespaced sa',
    'Service services namespaced svc',
  ],
  'apiregistration.k8s.io/v1': ['APIService apiservices cluster'],
  'apps/v1': [
    'ControllerRevision controllerrevisions namespaced',
    'DaemonSet daemonsets namespaced ds',
    'Deployment deployments namespaced deploy',
    'ReplicaSet replicasets namespaced rs',
    'StatefulSet statefulsets namespaced sts',
  ],
  'events.k8s.io/v1': ['Event events namespaced ev'],
  'authentication.k8s.io/v1': [],
  'authorization.k8s.io/v1': [],
  'autoscaling/v2': ['HorizontalPodAutoscaler horizontalpodautoscalers namespaced hpa'],
  'batch/v1': ['CronJob cronjobs namespaced cj', 'Job jobs namespaced'],
  'certificates.k8s.io/v1': ['CertificateSigningRequest certificatesigningrequests cluster csr'],
  'networking.k8s.io/v1': [
    'IngressClass ingressclasses cluster',
    'Ingress ingresses namespaced ing',
    'IPAddress ipaddresses cluster ip',
    'NetworkPolicy networkpolicies namespaced netpol',
    'ServiceCIDR servicecidrs cluster',
  ],
  'policy/v1': ['PodDisruptionBudget poddisruptionbudgets namespaced pdb'],
  'rbac.authorization.k8s.io/v1': [
    'ClusterRoleBinding clusterrolebindings cluster',
    'ClusterRole clusterroles cluster',
    'RoleBinding rolebindings namespaced',
    'Role roles namespaced',
  ],
  'storage.k8s.io/v1': [
    'CSIDriver csidrivers cluster',
    'CSINode csinodes cluster',
    'CSIStorageCapacity csistoragecapacities namespaced',
    'StorageClass storageclasses cluster sc',
    'VolumeAttachment volumeattachments cluster',
    'VolumeAttributesClass volumeattributesclasses cluster vac',
  ],
  'admissionregistration.k8s.io/v1': [
    'MutatingWebhookConfiguration mutatingwebhookconfigurations cluster',
    'ValidatingAdmissionPolicy validatingadmissionpolicies cluster',
    'ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings cluster',
    'ValidatingWebhookConfiguration validatingwebhookconfigurations cluster',
  ],
  'apiextensions.k8s.io/v1': [
    'CustomResourceDefinition customresourcedefinitions cluster crd crds',
  ],
  'scheduling.k8s.io/v1': ['PriorityClass priorityclasses cluster pc'],
  'coordination.k8s.io/v1': ['Lease leases namespaced'],
  'node.k8s.io/v1': ['RuntimeClass runtimeclasses cluster'],
  'discovery.k8s.io/v1': ['EndpointSlice endpointslices namespaced'],
  'resource.k8s.io/v1': [
    'DeviceClass deviceclasses cluster',
    'ResourceClaim resourceclaims namespaced',
    'ResourceClaimTemplate resourceclaimtemplates namespaced',
    'ResourceSlice resourceslices cluster',
  ],
  'flowcontrol.apiserver.k8s.io/v1': [
    'FlowSchema flowschemas cluster',
    'PriorityLevelConfiguration prioritylevelconfigurations cluster',
  ],
};

let surface: ApiSurface | undefined;

/** What servers of this age have built in: enough to ask for pods without asking what there is. */
export function builtInSurface(): ApiSurface {
  surface ??= {
    groups: Object.entries(TABLE).map(([groupVersion, rows]): ApiGroup => {
      const { group, version } = parseGroupVersion(groupVersion) ?? { group: '', version: '' };
      const resources = rows.map((row) => readRow(row, { group, version }));
      return { name: group, versions: [{ version, resources }] };
    }),
    failed: [],
  };
  return surface;
}

function readRow(row: string, gv: { group: string; version: string }): ApiResource {
  const [kind = '', plural = '', scope, ...shortNames] = row.split(' ');
  return {
    ...gv,
    kind,
    plural,
    namespaced: scope === 'namespaced',
    singular: kind.toLowerCase(),
    shortNames,
    // Not known here, and nobody may conclude anything from that.
    categories: [],
    verbs: [],
    subresources: [],
  };
}
