export { memberAccess } from './cluster-secret/connect-member.ts';
export { findGateway, type Gateway } from './cluster-secret/gateway-namespace.ts';
export type { MemberAccess, MemberCredential } from './cluster-secret/member-access.ts';
export * from './cluster-secret/names.ts';
export { type ClusterSecret, readClusterSecret } from './cluster-secret/read-cluster-secret.ts';
export { type GatewayOptions, mountGateway } from './gateway/mount-gateway.ts';
export { createHub, defaultHubConfig, type Hub, type HubConfig, type HubOptions } from './hub.ts';
export { installKinds } from './install/install-kinds.ts';
export { clusterReferences } from './registration/applications/cluster-references.ts';
export { releaseSecret } from './registration/detach/release-secret.ts';
export {
  type EndpointPolicy,
  endpointPolicyProblems,
} from './registration/endpoint/endpoint-policy.ts';
export type { ExecProfile } from './registration/exec-profiles/exec-profile.ts';
export { createMint, type Mint } from './registration/exec-profiles/mint-credential.ts';
export {
  ExecProfilesError,
  parseExecProfiles,
} from './registration/exec-profiles/parse-exec-profiles.ts';
export { scrubResourceTrackers } from './registration/resource-trackers/scrub.ts';
export { REQUESTED_AT_ANNOTATION } from './registration/types.ts';
export type { WebhookPlace } from './registration/webhook/registration-webhook.ts';
