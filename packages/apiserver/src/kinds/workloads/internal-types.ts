/**
 * The fields of upstream's internal types, in their order, because two kinds of message show internal objects:
 * `Invalid value: {…}` and the diff of a refused pod update. They are written as Go names without JSON tags.
 *
 * One text per type: `GoName[=jsonName]:type` separated by blanks. The JSON name is the Go name with a small first
 * letter unless given. Types: s text, n number, b boolean, q quantity, i number-or-text, x as in the API,
 * `*` pointer, `[]` list, `{}` map, a capital letter begins another type; `+Type` is embedded, `@meta` is ObjectMeta.
 */
export const internalTypes: Readonly<Record<string, string>> = {
  PodTemplateSpec: '@meta Spec:PodSpec',
  PodSpec:
    'Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:*n ActiveDeadlineSeconds:*n DNSPolicy=dnsPolicy:s NodeSelector:{}s ServiceAccountName:s AutomountServiceAccountToken:*b NodeName:s SecurityContext:*PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:*b Affinity:*Affinity SchedulerName:s Tolerations:[]Toleration HostAliases:[]HostAlias PriorityClassName:s Priority:*n PreemptionPolicy:*s DNSConfig=dnsConfig:*PodDNSConfig ReadinessGates:[]PodReadinessGate RuntimeClassName:*s Overhead:{}q EnableServiceLinks:*b TopologySpreadConstraints:[]TopologySpreadConstraint OS=os:*PodOS SchedulingGates:[]PodSchedulingGate ResourceClaims:[]PodResourceClaim Resources:*ResourceRequirements HostnameOverride:*s',
  Volume: 'Name:s +VolumeSource',
  VolumeSource:
    'HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk=gcePersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore=awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS=nfs:*NFSVolumeSource ISCSI=iscsi:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD=rbd:*RBDVolumeSource Quobyte:*QuobyteVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS=cephfs:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC=fc:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS=storageos:*StorageOSVolumeSource CSI=csi:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource',
  HostPathVolumeSource: 'Path:s Type:*s',
  EmptyDirVolumeSource: 'Medium:s SizeLimit:*q',
  GCEPersistentDiskVolumeSource: 'PDName=pdName:s FSType=fsType:s Partition:n ReadOnly:b',
  AWSElasticBlockStoreVolumeSource: 'VolumeID:s FSType=fsType:s Partition:n ReadOnly:b',
  GitRepoVolumeSource: 'Repository:s Revision:s Directory:s',
  SecretVolumeSource: 'SecretName:s Items:[]KeyToPath DefaultMode:*n Optional:*b',
  KeyToPath: 'Key:s Path:s Mode:*n',
  NFSVolumeSource: 'Server:s Path:s ReadOnly:b',
  ISCSIVolumeSource:
    'TargetPortal:s IQN=iqn:s Lun:n ISCSIInterface=iscsiInterface:s FSType=fsType:s ReadOnly:b Portals:[]s DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b SecretRef:*LocalObjectReference InitiatorName:*s',
  LocalObjectReference: 'Name:s',
  GlusterfsVolumeSource: 'EndpointsName=endpoints:s Path:s ReadOnly:b',
  PersistentVolumeClaimVolumeSource: 'ClaimName:s ReadOnly:b',
  RBDVolumeSource:
    'CephMonitors=monitors:[]s RBDImage=image:s FSType=fsType:s RBDPool=pool:s RadosUser=user:s Keyring:s SecretRef:*LocalObjectReference ReadOnly:b',
  QuobyteVolumeSource: 'Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s',
  FlexVolumeSource:
    'Driver:s FSType=fsType:s SecretRef:*LocalObjectReference ReadOnly:b Options:{}s',
  CinderVolumeSource: 'VolumeID:s FSType=fsType:s ReadOnly:b SecretRef:*LocalObjectReference',
  CephFSVolumeSource:
    'Monitors:[]s Path:s User:s SecretFile:s SecretRef:*LocalObjectReference ReadOnly:b',
  FlockerVolumeSource: 'DatasetName:s DatasetUUID:s',
  DownwardAPIVolumeSource: 'Items:[]DownwardAPIVolumeFile DefaultMode:*n',
  DownwardAPIVolumeFile:
    'Path:s FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*n',
  ObjectFieldSelector: 'APIVersion=apiVersion:s FieldPath:s',
  ResourceFieldSelector: 'ContainerName:s Resource:s Divisor:q',
  FCVolumeSource: 'TargetWWNs:[]s Lun:*n FSType=fsType:s ReadOnly:b WWIDs=wwids:[]s',
  AzureFileVolumeSource: 'SecretName:s ShareName:s ReadOnly:b',
  ConfigMapVolumeSource: '+LocalObjectReference Items:[]KeyToPath DefaultMode:*n Optional:*b',
  VsphereVirtualDiskVolumeSource:
    'VolumePath:s FSType=fsType:s StoragePolicyName:s StoragePolicyID:s',
  AzureDiskVolumeSource:
    'DiskName:s DataDiskURI=diskURI:s CachingMode:*s FSType=fsType:*s ReadOnly:*b Kind:*s',
  PhotonPersistentDiskVolumeSource: 'PdID:s FSType=fsType:s',
  ProjectedVolumeSource: 'Sources:[]VolumeProjection DefaultMode:*n',
  VolumeProjection:
    'Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection',
  SecretProjection: '+LocalObjectReference Items:[]KeyToPath Optional:*b',
  DownwardAPIProjection: 'Items:[]DownwardAPIVolumeFile',
  ConfigMapProjection: '+LocalObjectReference Items:[]KeyToPath Optional:*b',
  ServiceAccountTokenProjection: 'Audience:s ExpirationSeconds:n Path:s',
  ClusterTrustBundleProjection: 'Name:*s SignerName:*s LabelSelector:*x Optional:*b Path:s',
  PodCertificateProjection:
    'SignerName:s KeyType:s MaxExpirationSeconds:*n CredentialBundlePath:s KeyPath:s CertificateChainPath:s',
  PortworxVolumeSource: 'VolumeID:s FSType=fsType:s ReadOnly:b',
  ScaleIOVolumeSource:
    'Gateway:s System:s SecretRef:*LocalObjectReference SSLEnabled=sslEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType=fsType:s ReadOnly:b',
  StorageOSVolumeSource:
    'VolumeName:s VolumeNamespace:s FSType=fsType:s ReadOnly:b SecretRef:*LocalObjectReference',
  CSIVolumeSource:
    'Driver:s ReadOnly:*b FSType=fsType:*s VolumeAttributes:{}s NodePublishSecretRef:*LocalObjectReference',
  EphemeralVolumeSource: 'VolumeClaimTemplate:*PersistentVolumeClaimTemplate',
  PersistentVolumeClaimTemplate: '@meta Spec:PersistentVolumeClaimSpec',
  PersistentVolumeClaimSpec:
    'AccessModes:[]s Selector:*x Resources:VolumeResourceRequirements VolumeName:s StorageClassName:*s VolumeMode:*s DataSource:*TypedLocalObjectReference DataSourceRef:*TypedObjectReference VolumeAttributesClassName:*s',
  VolumeResourceRequirements: 'Limits:{}q Requests:{}q',
  TypedLocalObjectReference: 'APIGroup=apiGroup:*s Kind:s Name:s',
  TypedObjectReference: 'APIGroup=apiGroup:*s Kind:s Name:s Namespace:*s',
  ImageVolumeSource: 'Reference:s PullPolicy:s',
  Container:
    'Name:s Image:s Command:[]s Args:[]s WorkingDir:s Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:[]ContainerRestartRule VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY=tty:b',
  ContainerPort: 'Name:s HostPort:n ContainerPort:n Protocol:s HostIP:s',
  EnvFromSource: 'Prefix:s ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource',
  ConfigMapEnvSource: '+LocalObjectReference Optional:*b',
  SecretEnvSource: '+LocalObjectReference Optional:*b',
  EnvVar: 'Name:s Value:s ValueFrom:*EnvVarSource',
  EnvVarSource:
    'FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector',
  ConfigMapKeySelector: '+LocalObjectReference Key:s Optional:*b',
  SecretKeySelector: '+LocalObjectReference Key:s Optional:*b',
  FileKeySelector: 'VolumeName:s Path:s Key:s Optional:*b',
  ResourceRequirements: 'Limits:{}q Requests:{}q Claims:[]ResourceClaim',
  ResourceClaim: 'Name:s Request:s',
  ContainerResizePolicy: 'ResourceName:s RestartPolicy:s',
  ContainerRestartRule: 'Action:s ExitCodes:*ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'Operator:s Values:[]n',
  VolumeMount:
    'Name:s ReadOnly:b RecursiveReadOnly:*s MountPath:s SubPath:s MountPropagation:*s SubPathExpr:s',
  VolumeDevice: 'Name:s DevicePath:s',
  Probe:
    '+ProbeHandler InitialDelaySeconds:n TimeoutSeconds:n PeriodSeconds:n SuccessThreshold:n FailureThreshold:n TerminationGracePeriodSeconds:*n',
  ProbeHandler:
    'Exec:*ExecAction HTTPGet=httpGet:*HTTPGetAction TCPSocket=tcpSocket:*TCPSocketAction GRPC=grpc:*GRPCAction',
  ExecAction: 'Command:[]s',
  HTTPGetAction: 'Path:s Port:i Host:s Scheme:s HTTPHeaders=httpHeaders:[]HTTPHeader',
  HTTPHeader: 'Name:s Value:s',
  TCPSocketAction: 'Port:i Host:s',
  GRPCAction: 'Port:n Service:*s',
  Lifecycle: 'PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*s',
  LifecycleHandler:
    'Exec:*ExecAction HTTPGet=httpGet:*HTTPGetAction TCPSocket=tcpSocket:*TCPSocketAction Sleep:*SleepAction',
  SleepAction: 'Seconds:n',
  SecurityContext:
    'Capabilities:*Capabilities Privileged:*b SELinuxOptions=seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*n RunAsGroup:*n RunAsNonRoot:*b ReadOnlyRootFilesystem:*b AllowPrivilegeEscalation:*b ProcMount:*s SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile',
  Capabilities: 'Add:[]s Drop:[]s',
  SELinuxOptions: 'User:s Role:s Type:s Level:s',
  WindowsSecurityContextOptions:
    'GMSACredentialSpecName=gmsaCredentialSpecName:*s GMSACredentialSpec=gmsaCredentialSpec:*s RunAsUserName:*s HostProcess:*b',
  SeccompProfile: 'Type:s LocalhostProfile:*s',
  AppArmorProfile: 'Type:s LocalhostProfile:*s',
  EphemeralContainer: '+Container TargetContainerName:s',
  PodSecurityContext:
    'HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:*b HostUsers:*b SELinuxOptions=seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*n RunAsGroup:*n RunAsNonRoot:*b SupplementalGroups:[]n SupplementalGroupsPolicy:*s FSGroup=fsGroup:*n FSGroupChangePolicy=fsGroupChangePolicy:*s Sysctls:[]Sysctl SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile SELinuxChangePolicy=seLinuxChangePolicy:*s',
  Sysctl: 'Name:s Value:s',
  Affinity: 'NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm',
  NodeSelector: 'NodeSelectorTerms:[]NodeSelectorTerm',
  NodeSelectorTerm:
    'MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement',
  NodeSelectorRequirement: 'Key:s Operator:s Values:[]s',
  PreferredSchedulingTerm: 'Weight:n Preference:NodeSelectorTerm',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm',
  PodAffinityTerm:
    'LabelSelector:*x Namespaces:[]s TopologyKey:s NamespaceSelector:*x MatchLabelKeys:[]s MismatchLabelKeys:[]s',
  WeightedPodAffinityTerm: 'Weight:n PodAffinityTerm:PodAffinityTerm',
  PodAntiAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm',
  Toleration: 'Key:s Operator:s Value:s Effect:s TolerationSeconds:*n',
  HostAlias: 'IP=ip:s Hostnames:[]s',
  PodDNSConfig: 'Nameservers:[]s Searches:[]s Options:[]PodDNSConfigOption',
  PodDNSConfigOption: 'Name:s Value:*s',
  PodReadinessGate: 'ConditionType:s',
  TopologySpreadConstraint:
    'MaxSkew:n TopologyKey:s WhenUnsatisfiable:s LabelSelector:*x MinDomains:*n NodeAffinityPolicy:*s NodeTaintsPolicy:*s MatchLabelKeys:[]s',
  PodOS: 'Name:s',
  PodSchedulingGate: 'Name:s',
  PodResourceClaim: 'Name:s ResourceClaimName:*s ResourceClaimTemplateName:*s',
  DeploymentStrategy: 'Type:s RollingUpdate:*RollingUpdateDeployment',
  RollingUpdateDeployment: 'MaxUnavailable:i MaxSurge:i',
  StatefulSetUpdateStrategy: 'Type:s RollingUpdate:*RollingUpdateStatefulSetStrategy',
  RollingUpdateStatefulSetStrategy: 'Partition:n MaxUnavailable:*i',
  DaemonSetUpdateStrategy: 'Type:s RollingUpdate:*RollingUpdateDaemonSet',
  RollingUpdateDaemonSet: 'MaxUnavailable:i MaxSurge:i',
  PodFailurePolicy: 'Rules:[]PodFailurePolicyRule',
  PodFailurePolicyRule:
    'Action:s OnExitCodes:*PodFailurePolicyOnExitCodesRequirement OnPodConditions:[]PodFailurePolicyOnPodConditionsPattern',
  PodFailurePolicyOnExitCodesRequirement: 'ContainerName:*s Operator:s Values:[]n',
  PodFailurePolicyOnPodConditionsPattern: 'Type:s Status:s',
  SuccessPolicy: 'Rules:[]SuccessPolicyRule',
  SuccessPolicyRule: 'SucceededIndexes:*s SucceededCount:*n',
  UncountedTerminatedPods: 'Succeeded:[]s Failed:[]s',
  PodIP: 'IP=ip:s',
  HostIP: 'IP=ip:s',
};
