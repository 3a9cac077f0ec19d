import { describe, it } from 'node:test';
import type { OpenSubject } from './storage-case-helpers.cases.ts';
import { modelCheck } from './storage-model.cases.ts';
import { readingCases } from './storage-reading.cases.ts';
import { watchingCases } from './storage-watching.cases.ts';

/** Behaviour every engine must show; `open` makes an empty store whose tenants may already exist. */
export function storageCases(name: string, open: OpenSubject): void {
  readingCases(name, open);
  watchingCases(name, open);

  describe(`${name}: against a model`, { timeout: 120_000 }, () => {
    for (const seed of [1, 2, 3]) {
      it(`agrees with a trivial store over random operations (seed ${seed})`, async () => {
        await using subject = await open({ now: () => 1_000, memory: { events: 25 } });
        await modelCheck(subject, { seed, rounds: 120 });
      });
    }
  });
}
