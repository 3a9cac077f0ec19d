/** Where KubeVela's gateway keeps its clusters unless its APIService says otherwise. */
export const DEFAULT_GATEWAY_NAMESPACE = 'vela-system';

/** The hub itself, in KubeVela's words; no member may be called so. */
export const LOCAL_CLUSTER = 'local';

/** Prefix of everything that is cluster-gateway's own on a cluster Secret. */
export const GATEWAY_PREFIX = 'cluster.core.oam.dev';

/** Marks a Secret as a cluster, and says what its credential is. */
export const CREDENTIAL_TYPE_LABEL = `${GATEWAY_PREFIX}/cluster-credential-type`;

/** How the gateway reaches the cluster; `Const` when it is missing. Never set by us. */
export const ENDPOINT_TYPE_LABEL = `${GATEWAY_PREFIX}/cluster-endpoint-type`;

/** Name of the cluster for people. */
export const ALIAS_ANNOTATION = `${GATEWAY_PREFIX}/cluster-alias`;

/** JSON of the cluster's version, as `/version` gives it, cut to four fields. */
export const VERSION_ANNOTATION = `${GATEWAY_PREFIX}/cluster-version`;

/** YAML that says as whom the gateway sends requests on. */
export const PROXY_CONFIGURATION_ANNOTATION = `${GATEWAY_PREFIX}/cluster-gateway-proxy-configuration`;

/** `True` or `False`, and why: what `kubectl get clustergateways` shows. */
export const HEALTHY_ANNOTATION = `status.${GATEWAY_PREFIX}/healthy`;
export const HEALTHY_REASON_ANNOTATION = `status.${GATEWAY_PREFIX}/healthy-reason`;

/** Prefix of what is ours on a cluster Secret. */
export const OUR_PREFIX = 'multicluster.oam.dev';

/** `namespace/name` of the registration that a cluster Secret belongs to, and its uid, by which it is told from a namesake. */
export const OWNER_ANNOTATION = `${OUR_PREFIX}/owner`;
export const OWNER_UID_ANNOTATION = `${OUR_PREFIX}/owner-uid`;

/** The deletionPolicy of the owner, for whoever cleans up after an owner that is gone. */
export const DELETION_POLICY_ANNOTATION = `${OUR_PREFIX}/deletion-policy`;

/** JSON list of the label keys that we put on the Secret; all others are somebody else's. */
export const APPLIED_LABELS_ANNOTATION = `${OUR_PREFIX}/applied-labels`;

/** Digest of the credential as written. */
export const CREDENTIAL_REVISION_ANNOTATION = `${OUR_PREFIX}/credential-revision`;

/** `true` on every cluster Secret of ours. */
export const MANAGED_LABEL = `${OUR_PREFIX}/managed`;

/** On a source Secret: the namespaces, separated by commas, whose registrations may read it. */
export const ALLOW_REGISTRATIONS_FROM_ANNOTATION = `${OUR_PREFIX}/allow-registrations-from`;

/** The keys of a cluster Secret's data, in cluster-gateway's spelling. */
export const SECRET_KEYS = {
  endpoint: 'endpoint',
  ca: 'ca.crt',
  /** Read where `ca.crt` is missing, never written. */
  oldCa: 'ca',
  token: 'token',
  certificate: 'tls.crt',
  key: 'tls.key',
  proxyUrl: 'proxy-url',
  exec: 'exec',
} as const;
