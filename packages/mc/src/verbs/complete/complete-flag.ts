import type { FlagSpec } from '../../flags/flag.ts';
import { type Candidate, type Completion, words } from './completion.ts';
import type { TypedWords } from './typed-words.ts';

/** The flags of the verb and those of all verbs; those that can be given once and were are left out. */
export function completeFlag({ table, flags, typed }: TypedWords): Completion {
  const isLetter = typed === '-';
  const isOpen = ({ kind, name }: FlagSpec): boolean =>
    kind === 'texts' || kind === 'lines' || !flags.isSet(name);
  return words(
    table.all
      .filter((spec) => spec.isHidden !== true && isOpen(spec))
      .flatMap(({ name, short, help }): Candidate[] => [
        { value: `--${name}`, description: help },
        ...(isLetter && short !== undefined ? [{ value: `-${short}`, description: help }] : []),
      ]),
  );
}
