import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { formatKey, invalid, invalidObject, keyOfObject } from '@flotilla/machinery';
import type { Review } from '@flotilla/runtime';
import { wantedName } from '../types.ts';

/** Registrations of the hub that have or want a name, as far as this process knows. */
export type FindByName = (name: string) => readonly ClusterRegistration[];

/**
 * Tells people early what they would otherwise find in the status: a name that is taken, and what is unwise. Nothing
 * depends on it: the rules are in the CRD, and the lock on names is the cluster Secret.
 */
export function reviewRegistration(
  { object, oldObject, warn }: Review<ClusterRegistration>,
  findByName: FindByName,
): void {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
  requireFreeName(object, oldObject, findByName);
  warnings(object).forEach(warn);
}

function requireFreeName(
  object: ClusterRegistration,
  oldObject: ClusterRegistration | undefined,
  findByName: FindByName,
): void {
  const name = wantedName(object);
  // Whoever lost a name before can still be changed.
  if (oldObject !== undefined && wantedName(oldObject) === name) return;
  const own = formatKey(keyOfObject(object));
  const other = findByName(name).find(
    (each) => formatKey(keyOfObject(each)) !== own && each.metadata.deletionTimestamp === undefined,
  );
  if (other === undefined) return;
  const taken = formatKey(keyOfObject(other));
  throw invalidObject(ClusterRegistrations, object.metadata.name ?? '', [
    invalid(
      'spec.clusterName',
      name,
      `ClusterRegistration "${taken}" has that name; choose another`,
    ),
  ]);
}

function warnings({ spec }: ClusterRegistration): string[] {
  const { credentialSource, config, engine, deletionPolicy, suspend } = spec;
  const found: string[] = [];
  if (credentialSource?.inline !== undefined) {
    found.push(
      'spec.credentialSource.inline: everyone who may read this registration can read the credential; use secretRef',
    );
  }
  if (credentialSource?.inline?.insecureSkipTLSVerify === true) {
    found.push(
      'spec.credentialSource.inline.insecureSkipTLSVerify: whoever stands in between gets the credential',
    );
  }
  if (config?.inClusterBootstrap === true && engine !== 'ocm') {
    found.push('spec.config.inClusterBootstrap has no effect with engine cluster-gateway');
  }
  if (config?.validateCredentials === false) {
    found.push(
      'spec.config.validateCredentials: a credential that does not work is registered, too',
    );
  }
  if (suspend === true && deletionPolicy !== 'Orphan') {
    found.push(
      'spec.suspend does not stop deletion: set deletionPolicy to Orphan to keep the cluster',
    );
  }
  return found;
}
