import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './server.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const EVERY_MS = 1_000;

interface Definition {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status?: { readonly conditions?: readonly { readonly reason: string }[] };
}

/** The definitions of a list whose deletion a real server has given up for the moment. */
export function stuckDefinitions(items: readonly Definition[]): string[] {
  return items
    .filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp !== undefined &&
        (status?.conditions ?? []).some(({ reason }) => reason === 'InstanceDeletionFailed'),
    )
    .map(({ metadata }) => metadata.name);
}

/**
 * Helps a real server to delete definitions, until it is aborted.
 *
 * When a definition goes right after it came, its storage may not be ready to be listed. The finalizer tries again at
 * once, meets the condition that it has just written as a conflict, and waits to be called; changes of that condition
 * alone do not call it, so that nothing happens before the next resync, five minutes later. A change of anything else
 * does.
 */
export async function unstickDefinitions(
  connection: Connection,
  signal: AbortSignal,
): Promise<void> {
  const { token } = connection.server;
  const accept = 'application/json';
  for (let round = 0; ; round += 1) {
    await pause(EVERY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const { code, bytes } = await connection.send({
      method: 'GET',
      path: DEFINITIONS,
      headers: { accept },
      bytes: undefined,
      token,
    });
    if (code !== 200) continue;
    const { items } = JSON.parse(bytes.toString()) as { items: readonly Definition[] };
    for (const name of stuckDefinitions(items)) {
      const patch = { metadata: { annotations: { 'conformance/unstuck': String(round) } } };
      await connection.send({
        method: 'PATCH',
        path: `${DEFINITIONS}/${name}`,
        headers: { accept, 'content-type': 'application/merge-patch+json' },
        bytes: Buffer.from(JSON.stringify(patch)),
        token,
      });
    }
  }
}
