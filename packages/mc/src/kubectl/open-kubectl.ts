import { temporaryKubeconfig } from '../access/delegation/temporary-kubeconfig.ts';
import type { Fleet } from '../fan-out/fleet.ts';
import type { Member } from '../fan-out/member.ts';
import type { Session } from '../session.ts';
import { type ChildCall, Children } from './children.ts';

/** What kubectl is told to do. */
export type KubectlCall = Pick<ChildCall, 'args' | 'stdin' | 'onOut' | 'onErr'>;

/** How it ended. */
export interface KubectlEnd {
  readonly code: number;
  /** The end of what it said. */
  readonly stderr: string;
}

/** A kubectl that knows the clusters of a run; nothing of it is left when it is disposed of. */
export interface Kubectl extends AsyncDisposable {
  /** Runs it on one cluster, until the member's time is up. */
  readonly run: (member: Member, call: KubectlCall) => Promise<KubectlEnd>;
}

/** As much of what it said tells what went wrong. */
const MAX_STDERR = 64 << 10;
/** From here on requests are told. */
const LOG_REQUESTS = 6;

/**
 * Prepares kubectl for the clusters of a fleet: each has a kubeconfig of its own, without a secret in it, whose only
 * context is current. So plugins of kubectl, and what those start, reach that cluster and no other.
 */
export async function openKubectl(
  path: string,
  fleet: Fleet,
  session: Pick<Session, 'io' | 'settings'>,
): Promise<Kubectl> {
  const { io } = session;
  const routed = fleet.clusters.flatMap(({ cluster, routing }) =>
    'route' in routing ? [{ cluster, route: routing.route }] : [],
  );
  const kubeconfig = await temporaryKubeconfig(routed, io);
  const children = new Children(io.clock);
  const flags = usualFlags(session);
  return {
    run: async ({ cluster, signal }, call) => {
      const file = await kubeconfig.fileOf(cluster.name);
      if (file === undefined) throw kubeconfig.failures.get(cluster.name) as Error;
      const said = new Tail(MAX_STDERR);
      const code = await children.run({
        ...call,
        path,
        args: [...flags, ...call.args],
        cwd: io.cwd,
        env: { ...io.env, ...kubeconfig.env, KUBECONFIG: file },
        signal,
        onErr: async (chunk) => {
          said.add(chunk);
          await call.onErr(chunk);
        },
      });
      return { code, stderr: said.text() };
    },
    [Symbol.asyncDispose]: async () => {
      await children[Symbol.asyncDispose]();
      await kubeconfig[Symbol.asyncDispose]();
    },
  };
}

/** Those of our flags that are not in the kubeconfig. */
function usualFlags({ settings }: Pick<Session, 'settings'>): string[] {
  const { requestTimeoutMs, cacheDir } = settings.kubectl;
  return [
    ...(requestTimeoutMs === undefined ? [] : [`--request-timeout=${requestTimeoutMs}ms`]),
    ...(cacheDir === undefined ? [] : [`--cache-dir=${cacheDir}`]),
    ...(settings.verbosity < LOG_REQUESTS ? [] : [`--v=${settings.verbosity}`]),
  ];
}

/** The last bytes of what came. */
class Tail {
  readonly #most: number;
  #kept = Buffer.alloc(0);

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk]);
    this.#kept = all.length > this.#most ? all.subarray(all.length - this.#most) : all;
  }

  text(): string {
    return this.#kept.toString();
  }
}
