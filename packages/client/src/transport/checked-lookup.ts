import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Whether an address may be dialled. */
export type AddressCheck = (address: string) => boolean;

/**
 * Looks names up for a socket and keeps from it every address that may not be dialled. The socket connects to what it is
 * given here and asks nobody else, so that no name can lead it astray between a check and the connection.
 */
export function checkedLookup(allowsAddress: AddressCheck): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const allowed = found.filter(({ address }) => allowsAddress(address));
      const [first] = allowed;
      if (first === undefined) callback(addressRefused(found[0]?.address ?? host), []);
      else if (options.all === true) callback(null, allowed satisfies LookupAddress[]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Why an address is not dialled. */
export function addressRefused(address: string): Error {
  return new Error(`its address ${address} is not one that may be dialled from here`);
}
