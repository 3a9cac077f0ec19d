export type * from './access.ts';
export type * from './client.ts';
export { certificateEnd, isReadableCertificate } from './credentials/certificate-end.ts';
export { CredentialError } from './credentials/credential-error.ts';
export { askPlugin, execCredential } from './credentials/exec/exec-credential.ts';
export type { ExecCluster, ExecHost, ExecPlugin } from './credentials/exec/exec-plugin.ts';
export { type LookPath, lookPathIn } from './credentials/exec/look-path.ts';
export type { PluginAnswer } from './credentials/exec/plugin-answer.ts';
export {
  type PluginAllowlistEntry,
  type PluginPolicy,
  pluginPolicyOfKuberc,
} from './credentials/exec/plugin-policy.ts';
export { checkKeyPair, KEY_MISMATCH, type KeyPair } from './credentials/key-pair.ts';
export { authoritiesOf } from './credentials/pem.ts';
export type { ReadFile } from './credentials/read-bytes.ts';
export { type SharedRun, singleFlight } from './credentials/single-flight.ts';
export { noCredential, staticCredential } from './credentials/static-credential.ts';
export { type TokenFileOptions, tokenFileCredential } from './credentials/token-file.ts';
export {
  createDiscovery,
  type Discovery,
  type DiscoveryOptions,
} from './discovery/create-discovery.ts';
export { findCategory, findResource } from './discovery/find-resource.ts';
export {
  type ApiGroup,
  type ApiResource,
  type ApiSurface,
  resourcesOf,
} from './discovery/surface.ts';
export { withoutManagedFields } from './informer/compact.ts';
export {
  createInformer,
  type InformerMode,
  type InformerOptions,
} from './informer/create-informer.ts';
export {
  createInformers,
  type InformerChoice,
  type Informers,
  type InformersOptions,
} from './informer/create-informers.ts';
export type * from './informer/informer.ts';
export { createInterner, type Interner } from './informer/intern.ts';
export * from './kinds.ts';
export type { Overrides } from './kubeconfig/choose-entries.ts';
export { type CredentialPool, createCredentialPool } from './kubeconfig/credential-pool.ts';
export { type InClusterOptions, inClusterAccess } from './kubeconfig/in-cluster.ts';
export type * from './kubeconfig/kubeconfig.ts';
export { KubeconfigError, type KubeconfigRefusal } from './kubeconfig/kubeconfig-error.ts';
export { type LoadOptions, loadKubeconfig } from './kubeconfig/load-kubeconfig.ts';
export {
  KUBECTL_DEFAULT_SERVER,
  type ResolveOptions,
  resolveAccess,
} from './kubeconfig/resolve-access.ts';
export type { UntrustedPolicy } from './kubeconfig/untrusted-fields.ts';
export { parseUntrustedKubeconfig } from './kubeconfig/untrusted-kubeconfig.ts';
export { type AttachOptions, attachToPod, type ExecOptions, execInPod } from './streams/exec.ts';
export { type LogOptions, podLogLines, podLogs } from './streams/pod-logs.ts';
export {
  connectToPod,
  type ForwardOptions,
  forwardPort,
  type PortForward,
  type PortOptions,
} from './streams/port-forward.ts';
export type { RemoteProcess } from './streams/remote-process.ts';
export {
  type Connector,
  type ConnectorOptions,
  createConnector,
} from './transport/create-connector.ts';
export { createTransport, type TransportOptions } from './transport/create-transport.ts';
export {
  type AskDirectly,
  createDirectTransport,
  type DirectTransportOptions,
} from './transport/direct-transport.ts';
export type { TransportLimits } from './transport/limits.ts';
export type * from './transport.ts';
export { TransportError, type TransportFault } from './transport-error.ts';
export { type ClientOptions, createClient } from './verbs/create-client.ts';
export { isRefusal, refusalOf } from './verbs/refusal.ts';
export type { ServerWarning } from './verbs/warnings.ts';
