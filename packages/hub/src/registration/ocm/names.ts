import { OUR_PREFIX } from '../../cluster-secret/names.ts';

/** Says that we accepted a ManagedCluster once: who takes that back means it. */
export const ACCEPTED_ANNOTATION = `${OUR_PREFIX}/accepted`;

/** When the token in the agent's Secret ends, and which hub it is for. */
export const EXPIRES_ANNOTATION = `${OUR_PREFIX}/expires-at`;
export const HUB_ENDPOINT_ANNOTATION = `${OUR_PREFIX}/hub-endpoint`;

/** On the hub: where the operator of Open Cluster Management is, and the accounts agents begin with. */
export const OCM_NAMESPACE = 'open-cluster-management';

/** On a member: where the agent is, and the Secret it begins with. */
export const AGENT_NAMESPACE = 'open-cluster-management-agent';
export const BOOTSTRAP_SECRET = 'bootstrap-hub-kubeconfig';

/** On a member: the one agent of the default installation, and its operator's Deployment. */
export const KLUSTERLET = 'klusterlet';

/** Says for which cluster a certificate is asked. */
export const CLUSTER_NAME_LABEL = 'open-cluster-management.io/cluster-name';

/** What we may do on the hub by an agent's account before it has a certificate of its own. */
export const BOOTSTRAP_ROLE = 'flotilla:ocm-bootstrap';

/** Under which name our fields are managed. */
export const FIELD_MANAGER = 'flotilla-registration';

/** The account that the agent of one member begins with. One each: an agent can then ask for no other's certificate. */
export function bootstrapAccount(cluster: string): string {
  return `flotilla-bootstrap-${cluster}`;
}

/** What binds that account to the role. */
export function bootstrapBinding(cluster: string): string {
  return `${BOOTSTRAP_ROLE}:${cluster}`;
}

/** Who asks for the certificate of a member, in the words of the hub's server. */
export function bootstrapUser(cluster: string): string {
  return `system:serviceaccount:${OCM_NAMESPACE}:${bootstrapAccount(cluster)}`;
}
