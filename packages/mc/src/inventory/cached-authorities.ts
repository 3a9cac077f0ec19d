import type { AccessOffer } from '../fleet/cluster.ts';
import type { ProfileRecord } from './profile-record.ts';

/** Where an authority stands in the text of all of them: its first character, and the one behind its last. */
type Place = readonly [start: number, end: number];

/** An offer as it is kept. */
export type KeptOffer = Omit<AccessOffer, 'ca'> & { readonly ca?: Place };

/** A profile as it is kept. */
export type KeptRecord = Omit<ProfileRecord, 'offers'> & { readonly offers: readonly KeptOffer[] };

/**
 * Takes the authorities out of profiles. They are most of an inventory by far, and full of line ends, which are slow to
 * read in JSON; kept behind the rest, they need not be parsed.
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
      place = [length, length + ca.length];
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

/** Puts them back, as parts of the one text: none is copied. */
export function withAuthorities(
  records: readonly KeptRecord[],
  authorities: string,
): readonly ProfileRecord[] {
  for (const { offers } of records) {
    for (const offer of offers as readonly { ca?: unknown }[]) {
      const { ca } = offer;
      if (ca !== undefined) offer.ca = authorities.slice(...(ca as Place));
    }
  }
  return records as readonly unknown[] as readonly ProfileRecord[];
}
