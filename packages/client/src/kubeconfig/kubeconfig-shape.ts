/**
 * What stands where in a kubeconfig, and what kubectl's error messages call it. kubectl reads unknown fields as nothing,
 * and a field of the wrong type as an error that names the Go type it wanted.
 */
export type Shape =
  | { readonly kind: 'string'; readonly go: string }
  | { readonly kind: 'bool' | 'bytes' | 'any' }
  | { readonly kind: 'list' | 'map'; readonly of: Shape }
  | {
      readonly kind: 'struct';
      readonly go: string;
      readonly fields: Readonly<Record<string, Shape>>;
    };

const string: Shape = { kind: 'string', go: 'string' };
const bool: Shape = { kind: 'bool' };
const bytes: Shape = { kind: 'bytes' };
const list = (of: Shape): Shape => ({ kind: 'list', of });
const map = (of: Shape): Shape => ({ kind: 'map', of });
const struct = (go: string, fields: Readonly<Record<string, Shape>>): Shape => ({
  kind: 'struct',
  go,
  fields,
});

const extensions = list(struct('NamedExtension', { name: string, extension: { kind: 'any' } }));

const cluster = struct('Cluster', {
  server: string,
  'tls-server-name': string,
  'insecure-skip-tls-verify': bool,
  'certificate-authority': string,
  'certificate-authority-data': bytes,
  'proxy-url': string,
  'disable-compression': bool,
  extensions,
});

const exec = struct('ExecConfig', {
  command: string,
  args: list(string),
  env: list(struct('ExecEnvVar', { name: string, value: string })),
  apiVersion: string,
  installHint: string,
  provideClusterInfo: bool,
  interactiveMode: { kind: 'string', go: 'v1.ExecInteractiveMode' },
});

const user = struct('AuthInfo', {
  'client-certificate': string,
  'client-certificate-data': bytes,
  'client-key': string,
  'client-key-data': bytes,
  token: string,
  tokenFile: string,
  as: string,
  'as-uid': string,
  'as-groups': list(string),
  'as-user-extra': map(list(string)),
  username: string,
  password: string,
  'auth-provider': struct('AuthProviderConfig', { name: string, config: map(string) }),
  exec,
  extensions,
});

const context = struct('Context', { cluster: string, user: string, namespace: string, extensions });

/** The whole of a kubeconfig. */
export const kubeconfigShape: Shape = struct('Config', {
  kind: string,
  apiVersion: string,
  preferences: struct('Preferences', { colors: bool, extensions }),
  clusters: list(struct('NamedCluster', { name: string, cluster })),
  users: list(struct('NamedAuthInfo', { name: string, user })),
  contexts: list(struct('NamedContext', { name: string, context })),
  'current-context': string,
  extensions,
});

/** A type as Go's messages call it. */
export function goType(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
      return shape.go;
    case 'bytes':
      return '[]uint8';
    case 'any':
      return 'runtime.RawExtension';
    case 'list':
      return `[]${goType(shape.of)}`;
    case 'map':
      return `map[string]${goType(shape.of)}`;
    case 'struct':
      return `v1.${shape.go}`;
    default:
      return shape.kind;
  }
}
