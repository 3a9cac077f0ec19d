import { join } from 'node:path';

/** The files and ports of one real stack; every path lies in its own temporary folder. */
export interface Site {
  readonly folder: string;
  readonly port: number;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
}

/** What differs from a server with default flags. */
export interface RealOptions {
  /** The controllers kube-controller-manager runs; without it there is no controller manager. */
  readonly controllers?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Whether client certificates and bootstrap tokens are believed, and certificate requests signed. */
  readonly certificates?: boolean;
  /** More kube-apiserver flags, such as `--client-ca-file=…`. */
  readonly extraFlags?: readonly string[];
}

// Loopback is refused for the endpoints of default/kubernetes, and inside a network namespace
// there is no other address to guess; this one is reserved for documentation.
const ADVERTISED_ADDRESS = '192.0.2.1';
const SERVICE_RANGE = '10.0.0.0/24';

/** Where a stack keeps its files. */
export function siteFiles(folder: string) {
  return {
    etcdData: join(folder, 'etcd'),
    certificates: join(folder, 'certificates'),
    // kube-apiserver writes its self-signed certificate and the issuer of it into one file.
    caFile: join(folder, 'certificates', 'apiserver.crt'),
    kubeconfig: join(folder, 'kubeconfig'),
    tokens: join(folder, 'tokens.csv'),
    signingKey: join(folder, 'sa.key'),
    verifyingKey: join(folder, 'sa.pub'),
    clientAuthority: join(folder, 'client-ca.crt'),
    clientAuthorityKey: join(folder, 'client-ca.key'),
  };
}

/** The flags of a single-member etcd on loopback. */
export function etcdFlags(site: Site): string[] {
  const client = `http://127.0.0.1:${site.etcdPort}`;
  const peer = `http://127.0.0.1:${site.etcdPeerPort}`;
  return [
    `--data-dir=${siteFiles(site.folder).etcdData}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

/** The flags of a kube-apiserver with defaults wherever a default works on loopback. */
export function serverFlags(site: Site, options: RealOptions): string[] {
  const files = siteFiles(site.folder);
  const gates = Object.entries(options.featureGates ?? {}).map(([name, on]) => `${name}=${on}`);
  const disabled = options.disableAdmissionPlugins ?? [];
  return [
    `--etcd-servers=http://127.0.0.1:${site.etcdPort}`,
    '--bind-address=127.0.0.1',
    `--advertise-address=${ADVERTISED_ADDRESS}`,
    `--secure-port=${site.port}`,
    `--cert-dir=${files.certificates}`,
    `--service-account-key-file=${files.verifyingKey}`,
    `--service-account-signing-key-file=${files.signingKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    ...(options.certificates === true
      ? [`--client-ca-file=${files.clientAuthority}`, '--enable-bootstrap-token-auth=true']
      : []),
    ...(gates.length === 0 ? [] : [`--feature-gates=${gates.join(',')}`]),
    ...(disabled.length === 0 ? [] : [`--disable-admission-plugins=${disabled.join(',')}`]),
    ...(options.extraFlags ?? []),
  ];
}

/** The flags of a kube-controller-manager that runs the named controllers only. */
export function managerFlags(
  site: Site,
  controllers: readonly string[],
  options: Pick<RealOptions, 'certificates'> = {},
): string[] {
  const files = siteFiles(site.folder);
  return [
    `--kubeconfig=${files.kubeconfig}`,
    `--service-account-private-key-file=${files.signingKey}`,
    `--root-ca-file=${files.caFile}`,
    '--use-service-account-credentials=true',
    '--secure-port=0',
    '--leader-elect=false',
    `--controllers=${controllers.join(',')}`,
    ...(options.certificates === true
      ? [
          `--cluster-signing-cert-file=${files.clientAuthority}`,
          `--cluster-signing-key-file=${files.clientAuthorityKey}`,
        ]
      : []),
  ];
}
