import { quantitySign } from '@flotilla/machinery';
import type { Container } from '../../kinds/workloads/container-types.ts';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import { type Amounts, amountsOf, most, sum } from './amounts.ts';

/** What a pod asks for, or is held to. */
export type Side = 'requests' | 'limits';

interface StatusResources {
  readonly name: string;
  readonly resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  readonly allocatedResources?: Record<string, string>;
}

const NOTHING: Amounts = new Map();

/** A pod's own words come before what its containers add up to; these are the resources it may speak about. */
function isForPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/**
 * The sum over a pod: containers and sidecars run together, other init containers one after another beside the
 * sidecars that were started before them; what the pod itself says replaces the sum; overhead comes on top.
 */
export function podResources(pod: Pod, side: Side): Amounts {
  const { spec } = pod;
  const statuses = statusesOf(pod);
  const amountOf = (container: Container): Amounts =>
    containerResources(pod, { container, status: statuses.get(container.name), side });

  let running = sum(...(spec.containers ?? []).map(amountOf));
  let sidecars = NOTHING;
  let starting = NOTHING;
  for (const container of spec.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    const own = isSidecar ? amountOf(container) : amountsOf(container.resources?.[side]);
    if (isSidecar) {
      running = sum(running, own);
      sidecars = sum(sidecars, own);
      starting = most(starting, sidecars);
    } else starting = most(starting, sum(own, sidecars));
  }
  const containers = most(running, starting);
  const own = [...amountsOf(spec.resources?.[side])].filter(([name]) => isForPods(name));
  return withOverhead(pod, new Map([...containers, ...own]), side);
}

function withOverhead({ spec }: Pod, amounts: Amounts, side: Side): Amounts {
  const overhead = amountsOf(spec.overhead);
  if (side === 'requests') return sum(amounts, overhead);
  // No limit stays no limit.
  const limited = [...overhead].filter(([name]) => {
    const limit = amounts.get(name);
    return limit !== undefined && quantitySign(limit) !== 0;
  });
  return sum(amounts, new Map(limited));
}

function statusesOf({ status }: Pod): Map<string, StatusResources> {
  const { containerStatuses, initContainerStatuses } = (status ?? {}) as {
    containerStatuses?: StatusResources[];
    initContainerStatuses?: StatusResources[];
  };
  return new Map(
    [...(containerStatuses ?? []), ...(initContainerStatuses ?? [])].map((each) => [
      each.name,
      each,
    ]),
  );
}

/** While a resize is under way, a container counts with the most it has or wants. */
function containerResources(
  pod: Pod,
  {
    container,
    status,
    side,
  }: { container: Container; status: StatusResources | undefined; side: Side },
): Amounts {
  const wanted = amountsOf(container.resources?.[side]);
  if (status?.resources === undefined) return wanted;
  const actual = amountsOf(status.resources[side]);
  const allocated = side === 'requests' ? amountsOf(status.allocatedResources) : NOTHING;
  return isResizeInfeasible(pod) ? most(actual, allocated) : most(wanted, actual, allocated);
}

function isResizeInfeasible({ status }: Pod): boolean {
  const { conditions = [] } = (status ?? {}) as {
    conditions?: { type: string; reason?: string }[] | null;
  };
  const pending = (conditions ?? []).find(({ type }) => type === 'PodResizePending');
  return pending?.reason === 'Infeasible';
}
