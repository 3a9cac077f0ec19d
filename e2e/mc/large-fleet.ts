// Members with many pods, answered from templates so that they cost next to nothing themselves.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { MEMBER_CERT, MEMBER_KEY } from '../../packages/mc/src/testing/certificates.ts';
import { type RawHome, writeRawHome } from '../../packages/mc/src/testing/raw-home.ts';
import { accessTo } from '../../packages/mc/src/testing/raw-member.ts';

/** Servers and a home folder that leads to them. */
export interface LargeFleet extends RawHome, AsyncDisposable {
  /** How many requests were answered. */
  readonly requests: () => number;
}

const COLUMNS = ['Name', 'Ready', 'Status', 'Restarts', 'Age'].map((name, index) => ({
  name,
  type: 'string',
  format: index === 0 ? 'name' : '',
  description: '',
  priority: 0,
}));

/** As much metadata as a pod of a Deployment has. */
const METADATA = {
  generateName: 'web-6d4b75cb6d-',
  uid: '2d912a8d-ac95-45c5-85d0-76915a7db9f7',
  resourceVersion: '123456',
  creationTimestamp: '2024-01-01T00:00:00Z',
  labels: { app: 'web', 'pod-template-hash': '6d4b75cb6d', tier: 'front' },
  annotations: { 'example.com/config-hash': 'x'.repeat(64) },
  ownerReferences: [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-6d4b75cb6d', uid: 'x'.repeat(36) },
  ],
  managedFields: ['kube-controller-manager', 'kubelet'].map((manager) => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2024-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f:field-${n}`, {}])),
  })),
};

/** Starts `members` servers with `pods` pods each, named so that no two servers have one of the same name. */
export async function startLargeFleet(members: number, pods: number): Promise<LargeFleet> {
  let requests = 0;
  const servers = Array.from({ length: members }, (_, member) =>
    createServer({ cert: MEMBER_CERT, key: MEMBER_KEY }, (request, response) => {
      requests += 1;
      const { searchParams } = new URL(request.url ?? '/', 'https://member');
      const first = Number(searchParams.get('continue') ?? 0);
      const last = Math.min(pods, first + Number(searchParams.get('limit') ?? pods));
      const body = page({ member, first, last, pods, includes: searchParams.get('includeObject') });
      response.setHeader('content-type', 'application/json');
      response.end(body);
    }),
  );
  await Promise.all(
    servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))),
  );
  const home = writeRawHome(
    Object.fromEntries(
      servers.map((server, member) => {
        const { port } = server.address() as AddressInfo;
        return [clusterName(member), accessTo(`https://127.0.0.1:${port}`)];
      }),
    ),
  );
  return {
    ...home,
    requests: () => requests,
    [Symbol.dispose]: home[Symbol.dispose],
    [Symbol.asyncDispose]: async () => {
      home[Symbol.dispose]();
      await Promise.all(
        servers.map((server) => {
          server.closeAllConnections();
          return new Promise((done) => server.close(done));
        }),
      );
    },
  };
}

/** `c01`: in the order of numbers. */
export function clusterName(member: number): string {
  return `c${String(member + 1).padStart(2, '0')}`;
}

interface Page {
  readonly member: number;
  readonly first: number;
  readonly last: number;
  readonly pods: number;
  readonly includes: string | null;
}

function page({ member, first, last, pods, includes }: Page): string {
  const metadata = {
    resourceVersion: '99',
    ...(last < pods ? { continue: String(last), remainingItemCount: pods - last } : {}),
  };
  const rows: string[] = [];
  for (let pod = first; pod < last; pod++) {
    const name = `web-6d4b75cb6d-${clusterName(member)}-${String(pod).padStart(5, '0')}`;
    const cells = [name, '1/1', 'Running', pod % 7, `${pod % 60}m`];
    const object =
      includes === 'None'
        ? null
        : {
            kind: 'PartialObjectMetadata',
            apiVersion: 'meta.k8s.io/v1',
            metadata: { name, namespace: `team-${Math.floor(pod / 100)}`, ...METADATA },
          };
    rows.push(JSON.stringify({ cells, object }));
  }
  const head = {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: COLUMNS,
  };
  return `${JSON.stringify(head).slice(0, -1)},"rows":[${rows.join(',')}]}`;
}
