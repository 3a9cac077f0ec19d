import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { toYaml } from '@flotilla/machinery';
import { type CertificateKeeper, keepCertificates, pkiFile } from './authn/keeper.ts';
import { writePrivateFile } from './authn/private-file.ts';
import { ensureTokenFile } from './authn/static-tokens.ts';
import { type Clock, systemClock } from './clock.ts';
import type { AskDirectly } from './http/direct.ts';
import { rootIdentity } from './identity.ts';
import type { Mount } from './mounted/mount.ts';
import { runServer } from './run-server.ts';
import { serverVersion } from './server-version.ts';
import { ROOT_TENANT } from './storage/store.ts';
import { kubeletCredentials } from './subresources/kubelet-credentials.ts';

/** How a server on this machine is to run. */
export interface StartOptions {
  /** Everything the server keeps is below this folder. */
  readonly dataFolder: string;
  /** Where the admin's kubeconfig is written. */
  readonly kubeconfigFile: string;
  /** What the server is called there: its context, which is the current one, and its cluster. @default 'hub' */
  readonly name?: string;
  /** Other servers that the same kubeconfig leads to; asked whenever the file is written. @default none */
  readonly neighbours?: () => readonly AdminAccess[];
  /** Told when the way to this server has changed, as its certificates are renewed. @default nobody */
  readonly onAccess?: (access: AdminAccess) => void;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Address others reach the server at; shown in the Endpoints of default/kubernetes. */
  readonly advertiseAddress?: string;
  /** @default '10.0.0.0/16' */
  readonly serviceCidr?: string;
  /** Built-in controllers to leave out, by name. */
  readonly disabledControllers?: readonly string[];
  /** One line a happening that whoever runs the server may want to know of. */
  readonly log: (line: string) => void;
  /** How long a server that stops says so at /readyz before it takes no more connections. @default 0 */
  readonly shutdownDelayMs?: number;
  readonly clock?: Clock;
  /** Groups that packages serve inside this server. */
  readonly mounts?: readonly Mount[];
}

/** How its administrator gets into a server. */
export interface AdminAccess {
  /** What it is called in kubeconfigs. */
  readonly name: string;
  /** An address that can be dialled. */
  readonly server: string;
  /** PEM of those who sign its certificate. */
  readonly ca: string;
  readonly token: string;
}

/** A server on its sockets. */
export interface RunningServer {
  readonly url: string;
  readonly access: () => AdminAccess;
  /** For whoever is in this process: the same answers without a socket. */
  readonly ask: AskDirectly;
  /** Writes the kubeconfig anew, for neighbours that came or went. */
  readonly writeKubeconfig: () => void;
  readonly version: string;
  readonly readyMs: number;
  /** Says not ready, finishes what is under way, ends watches after a bookmark, then closes everything. */
  readonly stop: () => Promise<void>;
}

/** Roomier than kube-apiserver's default of 254 Services. */
const SERVICE_CIDR = '10.0.0.0/16';

/** Opens the data, starts the server, and writes the kubeconfig that leads to it. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { dataFolder, log } = options;
  const clock = options.clock ?? systemClock;
  const begun = clock.now().getTime();
  const report = (error: unknown): void =>
    log(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  // Loaded here, because servers that keep nothing do without it.
  const { openLmdbStore } = await import('./storage/lmdb.ts');
  // First of all: it is the lock on the folder, and nothing may be written without it.
  const disk = await openLmdbStore({
    dir: join(dataFolder, 'store'),
    now: () => clock.now().getTime(),
  });
  const closing: (() => unknown)[] = [() => disk[Symbol.asyncDispose]()];
  const close = async (): Promise<void> => {
    for (const each of closing.reverse()) await each();
  };
  try {
    const certificates = keepCertificates({
      tenant: ROOT_TENANT,
      storage: pkiFile(dataFolder),
      clock,
      extraHosts: extraHosts(options),
      report,
    });
    closing.push(() => certificates[Symbol.dispose]());
    const adminToken = ensureTokenFile(join(dataFolder, 'admin.token'));
    const { listener, api, stop } = await runServer({
      store: disk,
      certificates: { main: servingPair(certificates) },
      host: options.host,
      port: options.port,
      advertiseAddress: options.advertiseAddress,
      serviceCidr: options.serviceCidr ?? SERVICE_CIDR,
      server: {
        ...(options.disabledControllers === undefined
          ? {}
          : { disabledControllers: options.disabledControllers }),
        kubelet: { credentials: kubeletCredentials(certificates, clock) },
        ...(options.mounts === undefined ? {} : { mounts: options.mounts }),
      },
      clock,
      report,
      identity: (context, { url }) =>
        rootIdentity(
          {
            folder: dataFolder,
            adminToken,
            certificates,
            clock,
            newId: randomUUID,
            url: () => url,
            onRejected: (reason) => log(`rejected a credential: ${reason.message}`),
          },
          context,
        ),
    });
    closing.push(() => stop({ delayMs: options.shutdownDelayMs ?? 0 }));

    const access = (): AdminAccess => ({
      name: options.name ?? 'hub',
      server: dialledUrl(listener.url),
      ca: certificates.bundle(),
      token: adminToken,
    });
    const writeKubeconfig = (): void =>
      writePrivateFile(
        options.kubeconfigFile,
        adminKubeconfig([access(), ...(options.neighbours?.() ?? [])]),
      );
    writeKubeconfig();
    certificates.onChange(() => {
      listener.setCertificates({ main: servingPair(certificates) });
      log('renewed certificates');
      // The bundle of CAs may have changed, and every namespace and kubeconfig carries it.
      api.adopt(ROOT_TENANT);
      options.onAccess?.(access());
      // Last: the file may have become unwritable, which is nobody else's trouble.
      writeKubeconfig();
    });
    return {
      url: listener.url,
      access,
      ask: listener.ask,
      writeKubeconfig,
      version: serverVersion.gitVersion,
      readyMs: clock.now().getTime() - begun,
      stop: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function servingPair(certificates: CertificateKeeper): { certificate: string; key: string } {
  const { certificate, key } = certificates.serving();
  return { certificate, key };
}

function extraHosts({ host, advertiseAddress }: StartOptions): string[] {
  return [host, advertiseAddress].filter(
    (each): each is string =>
      each !== undefined && each !== '' && each !== '0.0.0.0' && each !== '::',
  );
}

/** Wildcard addresses are where we listen, not where anyone connects to. */
function dialledUrl(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname === '0.0.0.0' || hostname === '[::]' ? '127.0.0.1' : hostname;
  return `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** A kubeconfig with a context for each of some servers, the first one current. */
export function adminKubeconfig(servers: readonly AdminAccess[]): string {
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: servers.map(({ name, server, ca }) => ({
      name,
      cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
    })),
    users: servers.map(({ name, token }) => ({ name: `${name}-admin`, user: { token } })),
    contexts: servers.map(({ name }) => ({
      name,
      context: { cluster: name, user: `${name}-admin` },
    })),
    'current-context': servers[0]?.name ?? '',
  });
}
