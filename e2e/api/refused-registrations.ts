// Every way in which a ClusterRegistration is refused, with the text that users read.

type Json = Record<string, unknown>;

/** A registration that is not accepted. */
export interface Refused {
  readonly title: string;
  readonly name?: string;
  readonly spec: Json;
  /** What the answer must say, word by word. */
  readonly text: string;
}

const secretRef = { name: 'kubeconfig' };
const inline = {
  endpoint: 'https://api.example.com:6443',
  credentialType: 'ServiceAccountToken',
  tokenData: 'dG9rZW4=',
};
const certificate = {
  endpoint: inline.endpoint,
  credentialType: 'X509Certificate',
  clientCertData: 'Y2VydA==',
  clientKeyData: 'a2V5',
};
const spec = (rest: Json): Json => ({ credentialSource: { secretRef }, ...rest });
const withInline = (rest: Json): Json => ({ credentialSource: { inline: { ...inline, ...rest } } });
const withConfig = (config: Json): Json => spec({ config });
const withLabels = (labels: Json): Json => spec({ labels });
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

const SOURCE =
  'spec.credentialSource: Invalid value: must have exactly one of secretRef, inline, externalSecretRef and existingSecret';
const LABEL =
  'spec.clusterName: Invalid value: must be a DNS label: lower-case letters, digits and "-", with a letter or digit at both ends';
const NAME =
  '<nil>: Invalid value: spec.clusterName must be given where metadata.name cannot name a member: a DNS label of at most 63 characters other than "local"';
const ENDPOINT =
  'spec.credentialSource.inline.endpoint: Invalid value: must be a URL such as https://api.example.com:6443, without user, query and fragment';
const TIMEOUT =
  'spec.config.connectionTimeout: Invalid value: must be a duration between 1s and 5m, such as 30s';
const HEARTBEAT =
  'spec.config.heartbeatInterval: Invalid value: must be a duration between 10s and 24h, such as 5m, or 0s for no heartbeat';
const RESERVED =
  'spec.labels: Invalid value: must not have keys that begin with cluster.core.oam.dev/, multicluster.oam.dev/, kubernetes.io/ or k8s.io/';

/** All of them; their numbers are the scenarios of the registration's specification. */
export const REFUSED: readonly Refused[] = [
  { title: 'no spec.credentialSource', spec: {}, text: 'spec.credentialSource: Required value' },
  { title: 'REG-24 no credential source', spec: { credentialSource: {} }, text: SOURCE },
  {
    title: 'REG-24 two credential sources',
    spec: { credentialSource: { secretRef, existingSecret: {} } },
    text: SOURCE,
  },
  {
    title: 'REG-25 the name of the hub',
    spec: spec({ clusterName: 'local' }),
    text: 'spec.clusterName: Invalid value: must not be "local": that is the hub itself',
  },
  { title: 'REG-25 upper case in the name', spec: spec({ clusterName: 'Prod' }), text: LABEL },
  { title: 'REG-25 a dot in the name', spec: spec({ clusterName: 'a.b' }), text: LABEL },
  {
    title: 'REG-25 a name of 64 characters',
    spec: spec({ clusterName: 'a'.repeat(64) }),
    text: 'spec.clusterName: Too long: may not be more than 63 bytes',
  },
  {
    title: 'REG-25 an empty name',
    spec: spec({ clusterName: '' }),
    text: 'spec.clusterName in body should be at least 1 chars long',
  },
  { title: 'no cluster name beside a dotted one', name: 'a.b', spec: spec({}), text: NAME },
  { title: 'no cluster name beside "local"', name: 'local', spec: spec({}), text: NAME },
  { title: 'no cluster name beside a long one', name: 'a'.repeat(64), spec: spec({}), text: NAME },
  {
    title: 'an alias of two lines',
    spec: spec({ alias: 'a\nb' }),
    text: 'spec.alias: Invalid value: must be a single line',
  },
  {
    title: 'a Secret without a name',
    spec: { credentialSource: { secretRef: {} } },
    text: 'spec.credentialSource.secretRef.name: Required value',
  },
  {
    title: 'a Secret with a bad name',
    spec: { credentialSource: { secretRef: { name: 'a_b' } } },
    text: 'spec.credentialSource.secretRef.name: Invalid value: must be the name of an object: lower-case letters, digits, "-" and "."',
  },
  {
    title: 'a Secret in a bad namespace',
    spec: { credentialSource: { secretRef: { ...secretRef, namespace: 'a.b' } } },
    text: 'spec.credentialSource.secretRef.namespace: Invalid value: must be the name of a namespace: lower-case letters, digits and "-"',
  },
  {
    title: 'a bad key of a Secret',
    spec: { credentialSource: { secretRef: { ...secretRef, key: 'a/b' } } },
    text: 'spec.credentialSource.secretRef.key: Invalid value: must be a key of a Secret: letters, digits, "-", "_" and "."',
  },
  {
    title: 'an empty key of a Secret',
    spec: { credentialSource: { secretRef: { ...secretRef, key: '' } } },
    text: 'spec.credentialSource.secretRef.key: Invalid value: must be a key of a Secret: letters, digits, "-", "_" and "."',
  },
  {
    title: 'an endpoint without a scheme',
    spec: withInline({ endpoint: 'a:6443' }),
    text: ENDPOINT,
  },
  {
    title: 'an endpoint with a user',
    spec: withInline({ endpoint: 'https://me:pw@a.example.com' }),
    text: ENDPOINT,
  },
  {
    title: 'an endpoint with a query',
    spec: withInline({ endpoint: 'https://a.example.com/?x=1' }),
    text: ENDPOINT,
  },
  {
    title: 'an endpoint with a fragment',
    spec: withInline({ endpoint: 'https://a.example.com/#x' }),
    text: ENDPOINT,
  },
  {
    title: 'an endpoint that is not encrypted',
    spec: withInline({ endpoint: 'http://a.example.com' }),
    text: 'spec.credentialSource.inline.endpoint: Invalid value: must begin with https:// unless insecureSkipTLSVerify is true',
  },
  {
    title: 'a credential that runs programs',
    spec: withInline({ credentialType: 'Dynamic' }),
    text: 'spec.credentialSource.inline.credentialType: Unsupported value: "Dynamic": supported values: "ServiceAccountToken", "X509Certificate"',
  },
  {
    title: 'a CA as plain PEM',
    spec: withInline({ caData: PEM }),
    text: 'spec.credentialSource.inline.caData: Invalid value: must be base64-encoded: encode the PEM text',
  },
  {
    title: 'a token as it is',
    spec: withInline({ tokenData: JWT }),
    text: 'spec.credentialSource.inline.tokenData: Invalid value: must be base64-encoded: encode the token once more',
  },
  {
    title: 'a certificate as plain PEM',
    spec: { credentialSource: { inline: { ...certificate, clientCertData: PEM } } },
    text: 'spec.credentialSource.inline.clientCertData: Invalid value: must be base64-encoded: encode the PEM text',
  },
  {
    title: 'a key as plain PEM',
    spec: { credentialSource: { inline: { ...certificate, clientKeyData: PEM } } },
    text: 'spec.credentialSource.inline.clientKeyData: Invalid value: must be base64-encoded: encode the PEM text',
  },
  {
    title: 'a token that is missing',
    spec: {
      credentialSource: { inline: { ...certificate, credentialType: 'ServiceAccountToken' } },
    },
    text: 'spec.credentialSource.inline: Invalid value: a ServiceAccountToken takes tokenData, and neither clientCertData nor clientKeyData',
  },
  {
    title: 'a certificate without its key',
    spec: withInline({ ...certificate, tokenData: undefined, clientKeyData: undefined }),
    text: 'spec.credentialSource.inline: Invalid value: an X509Certificate takes clientCertData and clientKeyData, and no tokenData',
  },
  {
    title: 'a proxy of an unknown kind',
    spec: withInline({ proxyURL: 'ftp://proxy' }),
    text: 'spec.credentialSource.inline.proxyURL: Invalid value: must be a URL with the scheme http, https or socks5 and no path',
  },
  {
    title: 'an ExternalSecret with a bad key',
    spec: { credentialSource: { externalSecretRef: { name: 'a', key: 'a b' } } },
    text: 'spec.credentialSource.externalSecretRef.key: Invalid value: must be a key of a Secret: letters, digits, "-", "_" and "."',
  },
  {
    title: 'an unknown engine',
    spec: spec({ engine: 'karmada' }),
    text: 'spec.engine: Unsupported value: "karmada": supported values: "cluster-gateway", "ocm"',
  },
  {
    title: 'a bad namespace to create',
    spec: withConfig({ createNamespace: 'A' }),
    text: 'spec.config.createNamespace: Invalid value: must be the name of a namespace (lower-case letters, digits and "-"), or empty for none',
  },
  { title: 'a timeout below 1s', spec: withConfig({ connectionTimeout: '999ms' }), text: TIMEOUT },
  { title: 'a timeout above 5m', spec: withConfig({ connectionTimeout: '5m1s' }), text: TIMEOUT },
  {
    title: 'a timeout that is none',
    spec: withConfig({ connectionTimeout: 'soon' }),
    text: TIMEOUT,
  },
  {
    title: 'a heartbeat below 10s',
    spec: withConfig({ heartbeatInterval: '9s' }),
    text: HEARTBEAT,
  },
  {
    title: 'a heartbeat above 24h',
    spec: withConfig({ heartbeatInterval: '25h' }),
    text: HEARTBEAT,
  },
  {
    title: 'a threshold of zero',
    spec: withConfig({ failureThreshold: 0 }),
    text: 'spec.config.failureThreshold in body should be greater than or equal to 1',
  },
  {
    title: 'an unknown refresh',
    spec: withConfig({ refreshApplications: 'Some' }),
    text: 'spec.config.refreshApplications: Unsupported value: "Some": supported values: "Matching", "All", "None"',
  },
  {
    title: 'an unknown adoption policy',
    spec: spec({ adoptionPolicy: 'Always' }),
    text: 'spec.adoptionPolicy: Unsupported value: "Always": supported values: "IfSameEndpoint", "IfUnmanaged", "Never"',
  },
  {
    title: 'an existing Secret that may not be adopted',
    spec: { credentialSource: { existingSecret: {} }, adoptionPolicy: 'Never' },
    text: 'spec.adoptionPolicy: Invalid value: must allow adoption when credentialSource is existingSecret',
  },
  {
    title: 'an unknown deletion policy',
    spec: spec({ deletionPolicy: 'Keep' }),
    text: 'spec.deletionPolicy: Unsupported value: "Keep": supported values: "Detach", "Orphan"',
  },
  {
    title: 'REG-37 a label key that is none',
    spec: withLabels({ 'a b': 'c' }),
    text: 'spec.labels: Invalid value: must have label keys such as region or example.com/region',
  },
  {
    title: 'REG-37 a label value that is none',
    spec: withLabels({ a: 'b c' }),
    text: 'spec.labels[a]: Invalid value: must be a label value: letters, digits, "-", "_" and ".", with a letter or digit at both ends',
  },
  {
    title: "REG-37 a label of the gateway's",
    spec: withLabels({ 'cluster.core.oam.dev/cluster-credential-type': 'Dynamic' }),
    text: RESERVED,
  },
  {
    title: 'REG-37 a label of ours',
    spec: withLabels({ 'multicluster.oam.dev/managed': 'true' }),
    text: RESERVED,
  },
  { title: "REG-37 a label of Kubernetes'", spec: withLabels({ 'k8s.io/a': 'b' }), text: RESERVED },
];
