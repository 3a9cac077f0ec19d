import { hubCases } from './hub.cases.ts';
import { ownershipCases } from './ownership.cases.ts';
import { profileCases } from './profile.cases.ts';
import type { StartHub } from './testing/open-inventory.ts';
import { vendorCases } from './vendor.cases.ts';

/**
 * What the inventory promises, on any hub. Each case opens one; where they share a server, closing must take away what a
 * case left: CRDs, registrations, cluster Secrets, events and the inventory's namespaces' profiles.
 */
export function inventoryCases(start: StartHub): void {
  profileCases(start);
  vendorCases(start);
  ownershipCases(start);
  hubCases(start);
}
