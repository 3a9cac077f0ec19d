import { isExpired } from '@flotilla/machinery';

/** A list that is read page by page and kept by someone who can forget it again. */
export interface PagedReading<P> {
  /** 0 for all at once. */
  readonly pages: (pageSize: number) => AsyncIterable<P>;
  readonly take: (page: P) => void;
  /** Forgets all that was taken of this list. */
  readonly restart: () => void;
}

/**
 * Reads a list to its end. One that expires on the way is asked for again from its beginning, whole, so that nothing of
 * it is there twice and it cannot expire once more.
 */
export async function readPages<P>(reading: PagedReading<P>, pageSize: number): Promise<void> {
  let taken = 0;
  try {
    for await (const page of reading.pages(pageSize)) {
      reading.take(page);
      taken += 1;
    }
  } catch (error) {
    if (taken === 0 || !isExpired(error)) throw error;
    reading.restart();
    for await (const page of reading.pages(0)) reading.take(page);
  }
}
