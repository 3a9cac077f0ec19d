// A real server with two pods, one for each kubelet that we have: kwok, which knows logs, terminals and ports but
// neither exit codes nor the end of an input, and a small one of upstream's parts, which knows these two. Commands
// run on this machine, in the network namespace of the test.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureServingPair } from '@flotilla/apiserver';
import { type Client, Namespaces, Nodes, type Pod, Pods, ServiceAccounts } from '@flotilla/client';
import type { ObjectKey } from '@flotilla/machinery';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import {
  logTail,
  type ServerProcess,
  startProcess,
} from '../../tools/real-kubernetes/server-process.ts';
import type { Side } from '../sides.ts';
import { KUBELET } from './kubelet-program.ts';

/** Where the pods are, and what the one on kwok says. */
export interface PodHost extends AsyncDisposable {
  /** The pod whose kubelet is kwok. */
  readonly key: ObjectKey;
  /** The pod whose kubelet is made of upstream's parts. */
  readonly strict: ObjectKey;
  /** A line on top of what the container has said. */
  readonly say: (line: string) => void;
}

const NAMESPACE = 'streams';
const NAME = 'one';
const STRICT = 'strict';

/** Makes the pods. `echoPort` is what port 80 of the one on kwok leads to; port 81 leads to nowhere. */
export async function hostPods(
  side: Side,
  { client, echoPort }: { readonly client: Client; readonly echoPort: number },
): Promise<PodHost> {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-streams-'));
  const port = await freePort();
  const logFile = join(folder, 'main.log');
  const say = (line: string) => {
    const text = `2024-05-01T10:00:00.000000000Z stdout F ${line}\n`;
    writeFileSync(logFile, text, { flag: 'a' });
  };
  for (let number = 0; number < 5; number++) say(`line ${number}`);
  writeFileSync(
    join(folder, 'kwok.yaml'),
    rules({ logFile, echoPort })
      .map((rule) => JSON.stringify(rule))
      .join('\n---\n'),
  );
  const kwok = startProcess({
    name: 'kwok',
    path: binaryPath('kwok'),
    args: [
      `--kubeconfig=${side.kubeconfig}`,
      `--config=${join(folder, 'kwok.yaml')}`,
      '--manage-nodes-with-label-selector=kwok=managed',
      `--server-address=127.0.0.1:${port}`,
    ],
    logFile: join(folder, 'kwok.log'),
  });
  const { certificate, key } = ensureServingPair({ folder: undefined, hosts: [], now: new Date() });
  const files = ['kubelet.crt', 'kubelet.key'].map((file) => join(folder, file));
  writeFileSync(files[0] ?? '', certificate);
  writeFileSync(files[1] ?? '', key);
  const strictPort = await freePort();
  const strict = startProcess({
    name: 'kubelet',
    path: KUBELET,
    args: [...files, String(strictPort)],
    logFile: join(folder, 'kubelet.log'),
  });
  await createPlace(client);
  await createPod(client, NAME, port);
  await createPod(client, STRICT, strictPort);
  await listening(kwok, port);
  await listening(strict, strictPort);
  return {
    key: { namespace: NAMESPACE, name: NAME },
    strict: { namespace: NAMESPACE, name: STRICT },
    say,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([kwok.stop(), strict.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createPlace(client: Client): Promise<void> {
  await client.create(Namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  });
  await client.create(ServiceAccounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: NAMESPACE, name: 'default' },
  });
}

/** A pod, on a node of the same name. */
async function createPod(client: Client, name: string, kubeletPort: number): Promise<void> {
  await client.create(Nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  await client.patch(
    Nodes,
    { name },
    {
      type: 'merge',
      subresource: 'status',
      body: {
        status: {
          addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
          daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
        },
      },
    },
  );
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: NAMESPACE, name },
    spec: {
      nodeName: name,
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'main', image: 'example.com/image' }],
    },
  };
  await client.create(Pods, pod);
}

function rules({ logFile, echoPort }: { logFile: string; echoPort: number }): object[] {
  const rule = (kind: string, spec: object) => ({
    kind,
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    metadata: { name: NAME, namespace: NAMESPACE },
    spec,
  });
  return [
    // kwok does not start without a stage; this one fits no pod.
    {
      kind: 'Stage',
      apiVersion: 'kwok.x-k8s.io/v1alpha1',
      metadata: { name: 'idle' },
      spec: {
        resourceRef: { apiGroup: 'v1', kind: 'Pod' },
        selector: { matchLabels: { 'example.com/idle': 'never' } },
        next: {},
      },
    },
    rule('Logs', { logs: [{ containers: ['main'], logsFile: logFile, follow: true }] }),
    rule('Attach', { attaches: [{ containers: ['main'], logsFile: logFile }] }),
    rule('Exec', { execs: [{ containers: ['main'], local: {} }] }),
    rule('PortForward', {
      forwards: [
        { ports: [80], target: { address: '127.0.0.1', port: echoPort } },
        { ports: [81], target: { address: '127.0.0.1', port: 1 } },
      ],
    }),
  ];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(server: ServerProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    if (server.ended() !== undefined) break;
    await delay(50);
  }
  throw new Error(`Cannot use ${server.name}: it does not listen\n${logTail(server.logFile)}`);
}
