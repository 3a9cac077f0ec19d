import type { Client } from '@flotilla/client';
import {
  type Clock,
  deepCopy,
  deepEqual,
  formatTime,
  isAlreadyExists,
  isNotFound,
  rfc3339Micro,
} from '@flotilla/machinery';
import type { Logger } from '@flotilla/runtime';
import { Leases, type Node, Nodes } from '../kinds.ts';
import { FIELD_MANAGER } from '../world/world.ts';
import {
  type NodeFacts,
  type NodeSpec,
  nodeLease,
  nodeObject,
  nodeStatus,
} from './node-objects.ts';

/** What keeping nodes needs. */
export interface KeepNodesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nodes: readonly NodeSpec[];
  /** Whether the server has a node of this name, as far as we know. */
  readonly isThere: (name: string) => boolean;
  readonly facts: Omit<NodeFacts, 'now'>;
  readonly signal: AbortSignal;
}

/** Half of what a lease lasts. */
const RENEW_MS = 20_000;
/** As often as a kubelet reports a status that has not changed. */
const REPORT_MS = 300_000;
const NOT_READY = 'node.kubernetes.io/not-ready';

/** Registers nodes, then keeps them alive until the signal; resolves the first time all of them are ready. */
export async function keepNodes(options: KeepNodesOptions): Promise<{ ended: Promise<void> }> {
  for (const spec of options.nodes) {
    await report(options, spec);
    await renew(options, spec);
  }
  return { ended: heartbeat(options) };
}

async function heartbeat(options: KeepNodesOptions): Promise<void> {
  const { clock, logger, nodes, signal } = options;
  let reportedAt = clock.elapsed();
  for (;;) {
    await clock.wait(RENEW_MS, signal).catch(() => {});
    if (signal.aborted) return;
    const isDue = clock.elapsed() - reportedAt >= REPORT_MS;
    if (isDue) reportedAt = clock.elapsed();
    for (const spec of nodes) {
      try {
        // A node that was deleted comes back, as one that restarts does.
        if (isDue || !options.isThere(spec.name)) await report(options, spec);
        await renew(options, spec);
      } catch (err) {
        if (signal.aborted) return;
        logger.warn('Cannot keep a simulated node alive', { node: spec.name, err });
      }
    }
  }
}

/** Creates the node where it is missing, and says that it is ready. */
async function report(options: KeepNodesOptions, spec: NodeSpec): Promise<void> {
  const { client, signal, facts } = options;
  const call = { signal, fieldManager: FIELD_MANAGER };
  const node = await ensureNode(options, spec);
  const status = nodeStatus(node, { ...facts, now: now(options) });
  const ready = await client.replace(
    Nodes,
    { ...node, status },
    { ...call, subresource: 'status' },
  );
  const taints = ready.spec?.taints ?? [];
  const others = taints.filter(({ key }) => key !== NOT_READY);
  if (others.length === taints.length) return;
  // Servers put it on every new node; whoever looks after nodes takes it off.
  const cleared = deepCopy(ready);
  cleared.spec = { ...cleared.spec, taints: others };
  await client.replace(Nodes, cleared, call);
}

async function ensureNode({ client, signal }: KeepNodesOptions, spec: NodeSpec): Promise<Node> {
  const call = { signal, fieldManager: FIELD_MANAGER };
  const wanted = nodeObject(spec);
  try {
    return await client.create(Nodes, wanted, call);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const node = await client.get(Nodes, { name: spec.name }, { signal });
  const { labels, annotations } = node.metadata;
  const next = {
    labels: { ...labels, ...wanted.metadata.labels },
    annotations: { ...annotations, ...wanted.metadata.annotations },
  };
  if (deepEqual(next, { labels, annotations })) return node;
  return client.replace(Nodes, { ...node, metadata: { ...node.metadata, ...next } }, call);
}

async function renew(
  { client, clock, signal }: KeepNodesOptions,
  { name }: NodeSpec,
): Promise<void> {
  const call = { signal, fieldManager: FIELD_MANAGER };
  const time = rfc3339Micro(new Date(clock.now()));
  const key = { namespace: 'kube-node-lease', name };
  try {
    const body = { spec: { renewTime: time } };
    await client.patch(Leases, key, { type: 'merge', body, ...call });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const node = await client.get(Nodes, { name }, { signal });
    await client.create(Leases, nodeLease(node, time), call);
  }
}

function now({ clock }: KeepNodesOptions): string {
  return formatTime(new Date(clock.now()));
}
