import { type KubeObject, parseJson } from '@flotilla/machinery';
import { allocateService, serviceHoldings } from '../kinds/core/service-allocation.ts';
import { allocateClusterIP, allocateNodePort, type PortRange } from '../kinds/core/service-ip.ts';
import type { Service } from '../kinds/core/service-types.ts';
import type { Admission, Release } from '../objects/engine.ts';
import type { Change, Store, Tenant } from '../storage/store.ts';

const PREFIX = 'core/services/';

/** Addresses and ports of one tenant that some Service holds, and how many hold each. */
interface Taken {
  readonly ips: Map<string, number>;
  readonly ports: Map<number, number>;
}

/** Gives Services their cluster IPs and node ports; what a write takes is given back when it fails. */
export interface ServicePools extends Disposable {
  readonly reserve: (admission: Admission) => Release | undefined;
}

/** Follows the store: what is taken is what stored Services hold, plus what writes in flight have claimed. */
export function createServicePools(
  store: Store,
  options: { cidr: string; nodePorts: PortRange },
): ServicePools {
  const tenants = new Map<Tenant, Taken>();
  const subscription = store.changes((changes: readonly Change[]) => {
    for (const change of changes) {
      if (!change.key.startsWith(PREFIX)) continue;
      const taken = tenants.get(change.tenant);
      if (taken === undefined) continue;
      if (change.value !== undefined) hold(taken, holdings(change.value), 1);
      if (change.previous !== undefined) hold(taken, holdings(change.previous), -1);
    }
  });
  const takenBy = (tenant: Tenant): Taken => {
    let taken = tenants.get(tenant);
    if (taken === undefined) {
      taken = { ips: new Map(), ports: new Map() };
      using snapshot = store.snapshot(tenant);
      for (const { value } of snapshot.range(PREFIX, { limit: Number.MAX_SAFE_INTEGER })) {
        hold(taken, holdings(value), 1);
      }
      tenants.set(tenant, taken);
    }
    return taken;
  };
  return {
    reserve: ({ tenant, def, object, old, subresource }) => {
      if (def.group !== '' || def.resource !== 'services' || subresource !== '') return undefined;
      if (object === undefined) return undefined;
      const taken = takenBy(tenant);
      // Claims in flight count like holdings until the write is decided; then the store's own change counts.
      const claimed: { ips: string[]; ports: number[] } = { ips: [], ports: [] };
      const giveBack = (): void => hold(taken, claimed, -1);
      const pools = {
        clusterIp: (wanted?: string) => {
          const got = allocateClusterIP({
            cidr: options.cidr,
            taken: taken.ips,
            ...(wanted === undefined ? {} : { wanted }),
          });
          if (got.ok) claim(taken, claimed, { ips: [got.value], ports: [] });
          return got;
        },
        nodePort: (wanted?: number) => {
          const got = allocateNodePort({
            range: options.nodePorts,
            taken: taken.ports,
            ...(wanted === undefined ? {} : { wanted }),
          });
          if (got.ok) claim(taken, claimed, { ips: [], ports: [got.value] });
          return got;
        },
      };
      try {
        allocateService(object as Service, old as Service | undefined, pools);
      } catch (error) {
        giveBack();
        throw error;
      }
      return giveBack;
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

function claim(
  taken: Taken,
  claimed: { ips: string[]; ports: number[] },
  got: { ips: string[]; ports: number[] },
): void {
  hold(taken, got, 1);
  claimed.ips.push(...got.ips);
  claimed.ports.push(...got.ports);
}

function holdings(value: Buffer): { ips: string[]; ports: number[] } {
  return serviceHoldings(parseJson(value).value as KubeObject as Service);
}

function hold(taken: Taken, what: { ips: string[]; ports: number[] }, by: 1 | -1): void {
  count(taken.ips, what.ips, by);
  count(taken.ports, what.ports, by);
}

function count<T>(counts: Map<T, number>, keys: readonly T[], by: 1 | -1): void {
  for (const key of keys) {
    const now = (counts.get(key) ?? 0) + by;
    if (now > 0) counts.set(key, now);
    else counts.delete(key);
  }
}
