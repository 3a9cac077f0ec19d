import { type KubeObject, parseJson } from '@flotilla/machinery';
import type { Store, Tenant } from '../storage/store.ts';

const LEASE_KEY = 'coordination.k8s.io/leases/kube-system/kube-controller-manager';

/**
 * How long a kube-controller-manager's leadership still lasts; undefined when none leads. Two writers of
 * the same objects would quarrel, so ours stand down for that time and look again.
 */
export function foreignLeaseMs(store: Store, tenant: Tenant, now: Date): number | undefined {
  const entry = store.read(tenant, LEASE_KEY);
  if (entry === undefined) return undefined;
  const spec = (parseJson(entry.value).value as KubeObject)['spec'] as LeaseSpec | undefined;
  if (spec?.holderIdentity === undefined || spec.holderIdentity === '') return undefined;
  if (spec.renewTime === undefined || spec.leaseDurationSeconds === undefined) return undefined;
  const ends = new Date(spec.renewTime).getTime() + spec.leaseDurationSeconds * 1000;
  const left = ends - now.getTime();
  return left > 0 ? left : undefined;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly renewTime?: string;
}
