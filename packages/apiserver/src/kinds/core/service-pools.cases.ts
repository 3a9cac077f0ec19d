import type { KubeObject } from '@flotilla/machinery';
import { allocateService } from './service-allocation.ts';
import { allocateClusterIP, allocateNodePort } from './service-ip.ts';
import type { Service } from './service-types.ts';

/** Pools of a cluster nobody else uses: 10.0.0.0/24 and the usual node ports, lowest first. */
export function freshPools() {
  const ips = new Set<string>();
  const ports = new Set<number>();
  return {
    clusterIp: (wanted?: string) => {
      const answer = allocateClusterIP({
        cidr: '10.0.0.0/24',
        taken: ips,
        ...(wanted === undefined ? {} : { wanted }),
      });
      if (answer.ok) ips.add(answer.value);
      return answer;
    },
    nodePort: (wanted?: number) => {
      const answer = allocateNodePort({
        taken: ports,
        ...(wanted === undefined ? {} : { wanted }),
      });
      if (answer.ok) ports.add(answer.value);
      return answer;
    },
  };
}

/** Gives a Service what it needs from fresh pools; refusals are left to those who test allocation itself. */
export function allocate(object: KubeObject, old: KubeObject | undefined): void {
  allocateService(object as Service, old as Service | undefined, freshPools());
}
