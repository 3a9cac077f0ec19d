import { type Client, createInformer, type Informer } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import { type Lease, Leases } from '../kinds.ts';

/** Whether somebody else does some of our work. */
export interface ForeignLease {
  readonly isHeld: () => boolean;
  readonly informer: Informer<Lease>;
}

/**
 * Watches the Lease of a component of Kubernetes. While it is held, two would write the same objects and quarrel, so we
 * stand down; `released` is called when it is free again.
 */
export function watchForeignLease(options: {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly report: (error: unknown) => void;
  readonly name: 'kube-controller-manager' | 'kube-scheduler';
  readonly released: () => void;
}): ForeignLease {
  const { clock, name } = options;
  const informer = createInformer({
    ...options,
    kind: Leases,
    selection: { namespace: 'kube-system', fieldSelector: `metadata.name=${name}` },
  });
  let heldUntil = Number.NEGATIVE_INFINITY;
  let alarm: Disposable | undefined;
  const judge = (lease: Lease | undefined, before?: Lease): void => {
    const wasHeld = clock.elapsed() < heldUntil;
    heldUntil = clock.elapsed() + heldMs(lease, before, clock.now());
    alarm?.[Symbol.dispose]();
    if (heldUntil > clock.elapsed()) {
      alarm = clock.later(heldUntil - clock.elapsed() + 1, options.released);
    } else if (wasHeld) options.released();
  };
  informer.subscribe({
    added: (lease) => judge(lease),
    updated: (lease, before) => judge(lease, before),
    deleted: () => judge(undefined),
  });
  return { isHeld: () => clock.elapsed() < heldUntil, informer };
}

/**
 * How long a lease still keeps us off. One that was just renewed is held, whatever its holder's clock says; the first look
 * has nothing but the time it was renewed at.
 */
function heldMs(lease: Lease | undefined, before: Lease | undefined, now: number): number {
  const { holderIdentity = '', leaseDurationSeconds = 0, renewTime = '' } = lease?.spec ?? {};
  if (holderIdentity === '' || renewTime === '') return 0;
  const durationMs = leaseDurationSeconds * 1000;
  const isRenewed = before !== undefined && before.spec?.renewTime !== renewTime;
  return isRenewed ? durationMs : Math.max(0, Date.parse(renewTime) + durationMs - now);
}
