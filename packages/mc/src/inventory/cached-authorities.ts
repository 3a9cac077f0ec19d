import type { AccessOffer } from '../fleet/cluster.ts';
import type { ProfileRecord } from './profile-record.ts';

/** Where an authority stands among all of them: its first byte, and the one behind its last. */
type Place = readonly [start: number, end: number];

/** An offer as it is kept. */
export type KeptOffer = Omit<AccessOffer, 'ca'> & { readonly ca?: Place };

/** A profile as it is kept. */
export type KeptRecord = Omit<ProfileRecord, 'offers'> & { readonly offers: readonly KeptOffer[] };

/**
 * Takes the authorities out of profiles. They are most of an inventory by far, and few runs look at them: kept behind the
 * rest, they need not be parsed to find out what the clusters are called.
 */
export function withoutAuthorities(profiles: readonly ProfileRecord[]): {
  readonly records: readonly KeptRecord[];
  readonly authorities: string;
} {
  const places = new Map<string, Place>();
  let length = 0;
  const placeOf = (ca: string): Place => {
    let place = places.get(ca);
    if (place === undefined) {
      place = [length, length + Buffer.byteLength(ca)];
      [, length] = place;
      places.set(ca, place);
    }
    return place;
  };
  const records = profiles.map((record) => ({
    ...record,
    offers: record.offers.map(({ ca, ...offer }) =>
      ca === undefined ? offer : { ...offer, ca: placeOf(ca) },
    ),
  }));
  return { records, authorities: [...places.keys()].join('') };
}

/** Whether something is a place of theirs. */
export function isPlace(value: unknown, { length }: Buffer): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [start, end] = value as readonly unknown[];
  return (
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    (start as number) >= 0 &&
    (start as number) <= (end as number) &&
    (end as number) <= length
  );
}

/** Puts them back; each is read when somebody looks at it. */
export function withAuthorities(
  records: readonly KeptRecord[],
  authorities: Buffer,
): readonly ProfileRecord[] {
  for (const { offers } of records) {
    for (const offer of offers) {
      const { ca } = offer;
      if (ca === undefined) continue;
      Object.defineProperty(offer, 'ca', {
        enumerable: true,
        get: () => authorities.toString('utf8', ...ca),
      });
    }
  }
  return records as readonly unknown[] as readonly ProfileRecord[];
}
