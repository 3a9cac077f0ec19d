import { isConfining, seccompProfile } from './baseline.ts';
import { type CheckPod, containersWhere, named, quoted, setters, sorted } from './checks.ts';

/** No process gains more rights than its parent. */
export const allowPrivilegeEscalation: CheckPod = ({ spec }) => {
  const bad = containersWhere(
    spec,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${named('container', bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** Containers give up every capability, and may take back one. */
export const dropCapabilities: CheckPod = ({ spec }) => {
  const gained = new Set<string>();
  const keeping = containersWhere(
    spec,
    ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes('ALL'),
  );
  const adding = containersWhere(spec, ({ securityContext }) => {
    const added = (securityContext?.capabilities?.add ?? []).filter(
      (name) => name !== 'NET_BIND_SERVICE',
    );
    for (const name of added) gained.add(name);
    return added.length > 0;
  });
  const details = [
    ...(keeping.length > 0
      ? [`${named('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0
      ? [
          `${named('container', adding)} must not include ${quoted(sorted(gained))} in securityContext.capabilities.add`,
        ]
      : []),
  ];
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const FAIR_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

const OTHER_VOLUMES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as const;

/** Volumes hold what the cluster gives, and nothing of the node or of a drive of somebody's own. */
export const restrictedVolumes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) =>
    FAIR_VOLUMES.every((type) => volume[type] == null),
  );
  if (bad.length === 0) return undefined;
  const types = sorted(
    bad.map((volume) => OTHER_VOLUMES.find((type) => volume[type] != null) ?? 'unknown'),
  );
  const use = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${named(
      'volume',
      bad.map(({ name }) => name),
    )} ${use} ${named('restricted volume type', types)}`,
  };
};

/** Everything says that it does not run as root. */
export const runAsNonRoot: CheckPod = ({ spec }) => {
  const pod = spec.securityContext?.runAsNonRoot;
  const bad = setters(
    pod === false,
    containersWhere(spec, ({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  if (bad.length > 0) {
    return {
      reason: 'runAsNonRoot != true',
      detail: `${bad.join(' and ')} must not set securityContext.runAsNonRoot=false`,
    };
  }
  const silent = containersWhere(spec, ({ securityContext }) => {
    return securityContext?.runAsNonRoot === undefined && pod !== true;
  });
  if (silent.length === 0) return undefined;
  return {
    reason: 'runAsNonRoot != true',
    detail: `pod or ${named('container', silent)} must set securityContext.runAsNonRoot=true`,
  };
};

/** Nothing names root as its user. */
export const runAsUser: CheckPod = ({ spec }) => {
  const isRoot = (user: unknown): boolean => user === 0 || user === 0n;
  const bad = setters(
    isRoot(spec.securityContext?.runAsUser),
    containersWhere(spec, ({ securityContext }) => isRoot(securityContext?.runAsUser)),
  );
  if (bad.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${bad.join(' and ')} must not set runAsUser=0` };
};

/** Seccomp is on, by the pod or by every container. */
export const seccompRequired: CheckPod = (pod) => {
  const { spec } = pod;
  const explicit = seccompProfile(pod);
  if (explicit !== undefined) return explicit;
  const own = spec.securityContext?.seccompProfile;
  if (own != null && isConfining(own.type)) return undefined;
  const silent = containersWhere(spec, ({ securityContext }) => {
    return securityContext?.seccompProfile == null;
  });
  if (silent.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${named('container', silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
