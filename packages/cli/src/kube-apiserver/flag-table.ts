/** How the value of a flag is read. */
export type FlagKind = 'text' | 'texts' | 'list' | 'number' | 'boolean';

/** A flag we know. */
export interface Flag {
  readonly kind: FlagKind;
  /** One line for `--help`. */
  readonly help: string;
}

/** Flags that change what the server does. `texts` may be given many times; a `list` has commas as well. */
export const FLAGS = {
  'advertise-address': text('address that others reach this server at'),
  'allow-privileged': flag('taken and not looked at: privileged containers are always allowed'),
  'anonymous-auth': flag('whether requests without credentials count as system:anonymous'),
  'api-audiences': list('audiences of tokens that mean this server (default: the issuers)'),
  'authorization-mode': list('RBAC, Node or AlwaysAllow (default: AlwaysAllow)'),
  'bind-address': text('address to listen on (default: 127.0.0.1)'),
  'cert-dir': text('where apiserver.crt and apiserver.key are kept, and made when missing'),
  'client-ca-file': text('authorities that sign client certificates'),
  'disable-admission-plugins': list('admission plug-ins to leave out'),
  'enable-admission-plugins': list('admission plug-ins to run beside the default ones'),
  'enable-bootstrap-token-auth': flag('whether bootstrap tokens in kube-system are believed'),
  'etcd-servers': list('taken and not looked at: nothing is kept in etcd'),
  'flotilla-controllers': flag('also do the work of a kube-controller-manager'),
  'flotilla-data': text('keep objects in this folder instead of in memory'),
  'kubelet-certificate-authority': text('authorities that sign certificates of kubelets'),
  'kubelet-client-certificate': text('certificate by which this server proves itself to kubelets'),
  'kubelet-client-key': text('key of that certificate'),
  'kubelet-port': number('port of kubelets whose Node names none (default: 10250)'),
  'kubelet-preferred-address-types': list('which addresses of a Node to use, in this order'),
  'requestheader-allowed-names': list('common names of proxies that may name users in headers'),
  'requestheader-client-ca-file': text('authorities that sign certificates of such proxies'),
  'requestheader-extra-headers-prefix': list('prefixes of headers with more about a user'),
  'requestheader-group-headers': list('headers with groups of a user'),
  'requestheader-uid-headers': list('headers with the uid of a user'),
  'requestheader-username-headers': list('headers with the name of a user'),
  'secure-port': number('port to listen on, 0 for a free one (default: 6443)'),
  'service-account-issuer': texts('issuer of tokens; those after the first are believed as well'),
  'service-account-key-file': texts('keys or certificates that tokens are checked with'),
  'service-account-signing-key-file': text('key that signs tokens'),
  'service-cluster-ip-range': list('network of cluster IPs (default: 10.0.0.0/24)'),
  'tls-cert-file': text('certificate to serve with, and its issuers'),
  'tls-private-key-file': text('key of that certificate'),
  'token-auth-file': text('lines of token,user,uid,"group1,group2"'),
} as const satisfies Readonly<Record<string, Flag>>;

/** The name of a flag that changes something. */
export type FlagName = keyof typeof FLAGS;

/** Flags of kube-apiserver that have no meaning here and do no harm. */
export const HARMLESS = new Set([
  'enable-aggregator-routing',
  'enable-garbage-collector',
  'enable-priority-and-fairness',
  'endpoint-reconciler-type',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-compaction-interval',
  'etcd-healthcheck-timeout',
  'etcd-keyfile',
  'etcd-prefix',
  'insecure-port',
  'logging-format',
  'logtostderr',
  'profiling',
  'proxy-client-cert-file',
  'proxy-client-key-file',
  'service-account-lookup',
  'storage-backend',
  'storage-media-type',
  'v',
  'vmodule',
  'watch-cache',
]);

/** Flags of kube-apiserver that are given without a value; what follows them is something else. */
export const BARE = new Set([
  'disable-http2-serving',
  'enable-aggregator-routing',
  'enable-garbage-collector',
  'enable-priority-and-fairness',
  'logtostderr',
  'profiling',
  'service-account-extend-token-expiration',
  'service-account-lookup',
  'watch-cache',
]);

function text(help: string): Flag & { kind: 'text' } {
  return { kind: 'text', help };
}

function texts(help: string): Flag & { kind: 'texts' } {
  return { kind: 'texts', help };
}

function list(help: string): Flag & { kind: 'list' } {
  return { kind: 'list', help };
}

function number(help: string): Flag & { kind: 'number' } {
  return { kind: 'number', help };
}

function flag(help: string): Flag & { kind: 'boolean' } {
  return { kind: 'boolean', help };
}
