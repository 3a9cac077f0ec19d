import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAuthority } from '../../packages/apiserver/src/authn/certificates.ts';
import { binaryPath, ensureBinaries, type Program } from './binaries.ts';
import {
  etcdFlags,
  managerFlags,
  type RealOptions,
  type Site,
  serverFlags,
  siteFiles,
} from './flags.ts';
import { logTail, type ServerProcess, startProcess } from './server-process.ts';

/** A running kube-apiserver with its etcd, on loopback, with an empty store. */
export interface RealKubernetes {
  readonly url: string;
  /** A bearer token of user `admin`, group `system:masters`. */
  readonly token: string;
  /** Holds the issuer of the serving certificate, in PEM. */
  readonly caFile: string;
  /** The path of a kubeconfig with that token. */
  readonly kubeconfig: string;
  /** The path of kubectl, of the server's own release. */
  readonly kubectl: string;
  /** Process ids by program name. */
  readonly pids: Readonly<Record<string, number>>;
  /** Log files by program name; they disappear with `stop`. */
  readonly logs: Readonly<Record<string, string>>;
  /** Resident memory in bytes by program name. */
  readonly memory: () => Record<string, number>;
  readonly stop: () => Promise<void>;
}

const READY_WITHIN_MS = 90_000;
const POLL_MS = 50;
const DAY_MS = 24 * 60 * 60_000;

/** Starts real Kubernetes, building its programs first where they are missing. */
export async function startReal(options: RealOptions = {}): Promise<RealKubernetes> {
  const programs: Program[] = ['etcd', 'kube-apiserver', 'kubectl'];
  if (options.controllers !== undefined) programs.push('kube-controller-manager');
  ensureBinaries(programs);
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-real-'));
  const processes: ServerProcess[] = [];
  const start = (name: Program, args: readonly string[]) => {
    const logFile = join(folder, `${name}.log`);
    processes.push(startProcess({ name, path: binaryPath(name), args, logFile }));
  };
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const stop = async () => {
    for (const server of processes.toReversed()) await server.stop();
    process.off('exit', removeFolder);
    removeFolder();
  };
  try {
    const site: Site = { folder, ...(await freePorts()) };
    const access = prepareAccess(site);
    start('etcd', etcdFlags(site));
    // After the first start, so that at exit the servers are killed before their files go.
    process.on('exit', removeFolder);
    start('kube-apiserver', serverFlags(site, options));
    await untilReady(access, processes);
    if (options.controllers !== undefined) {
      start('kube-controller-manager', managerFlags(site, options.controllers, options));
    }
    return {
      ...access,
      kubectl: binaryPath('kubectl'),
      pids: byName(processes, ({ pid }) => pid),
      logs: byName(processes, ({ logFile }) => logFile),
      memory: () => byName(processes, ({ memory }) => memory()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Access = Pick<RealKubernetes, 'url' | 'token' | 'caFile' | 'kubeconfig'>;

/** Writes the keys and the admin's credentials; the server makes its own certificate. */
function prepareAccess(site: Site): Access {
  const files = siteFiles(site.folder);
  const url = `https://127.0.0.1:${site.port}`;
  const now = Date.now();
  const authority = createAuthority('client-ca', {
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + 3650 * DAY_MS),
  });
  writeFileSync(files.clientAuthority, authority.certificate);
  writeFileSync(files.clientAuthorityKey, authority.key, { mode: 0o600 });
  const token = randomBytes(16).toString('hex');
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  mkdirSync(files.certificates);
  writeFileSync(files.signingKey, keys.privateKey, { mode: 0o600 });
  writeFileSync(files.verifyingKey, keys.publicKey);
  writeFileSync(files.tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'real', cluster: { server: url, 'certificate-authority': files.caFile } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
    'current-context': 'real',
  };
  writeFileSync(files.kubeconfig, JSON.stringify(kubeconfig), { mode: 0o600 });
  return { url, token, caFile: files.caFile, kubeconfig: files.kubeconfig };
}

async function untilReady(access: Access, processes: readonly ServerProcess[]): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isReady(access))) {
    const dead = processes.find(({ ended }) => ended() !== undefined);
    const late = performance.now() > deadline ? processes.at(-1) : undefined;
    const culprit = dead ?? late;
    if (culprit !== undefined) {
      const state = culprit.ended() ?? `not ready after ${READY_WITHIN_MS / 1000} s`;
      throw new Error(`Cannot start real ${culprit.name}: ${state}\n${logTail(culprit.logFile)}`);
    }
    await delay(POLL_MS);
  }
}

async function isReady(access: Access): Promise<boolean> {
  if (!existsSync(access.caFile)) return false;
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${access.token}` };
    const ca = readFileSync(access.caFile);
    const call = get(`${access.url}/readyz`, { headers, ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.on('error', () => resolve(false));
  });
}

async function freePorts(): Promise<Pick<Site, 'port' | 'etcdPort' | 'etcdPeerPort'>> {
  // Held open together, so that the three differ.
  const listeners = await Promise.all([listen(), listen(), listen()]);
  const [port = 0, etcdPort = 0, etcdPeerPort = 0] = listeners.map(
    (listener) => (listener.address() as AddressInfo).port,
  );
  await Promise.all(listeners.map((listener) => new Promise((done) => listener.close(done))));
  return { port, etcdPort, etcdPeerPort };
}

/** Below the ports that outgoing connections are given: one of those could take it before its server starts. */
const PORTS = { first: 10_000, end: 32_768 };

async function listen(): Promise<ReturnType<typeof createServer>> {
  for (;;) {
    const server = createServer();
    try {
      server.listen(randomInt(PORTS.first, PORTS.end), '127.0.0.1');
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

function byName<T>(
  processes: readonly ServerProcess[],
  value: (server: ServerProcess) => T,
): Record<string, T> {
  return Object.fromEntries(processes.map((server) => [server.name, value(server)]));
}
