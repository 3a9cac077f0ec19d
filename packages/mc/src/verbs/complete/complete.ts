import type { Io } from '../../io.ts';
import { completeArgument } from './complete-argument.ts';
import { completeFlag } from './complete-flag.ts';
import { completeValue } from './complete-value.ts';
import { completeVerbName } from './complete-verb-name.ts';
import { type Completion, completionText, NOTHING } from './completion.ts';
import { quietSession } from './quiet-session.ts';
import { readTypedWords, type TypedWords } from './typed-words.ts';

/** What the last word may become, as `__complete` prints it. Never fails: what cannot be found out is left out. */
export async function complete(words: readonly string[], io: Io): Promise<string> {
  try {
    const { verbs } = await import('../table.ts');
    const typed = await readTypedWords(words, verbs);
    const found = await find(typed, io);
    const { before, place } = typed;
    // A name that begins with a dash would be taken for a flag by whoever is given it.
    const candidates = found.candidates
      .filter(({ value }) => place.kind === 'flag' || !value.startsWith('-'))
      .map(({ value, description }) => ({ value: `${before}${value}`, description }));
    return completionText({ ...found, candidates }, `${before}${typed.typed}`);
  } catch (error) {
    if ((io.env['FLOTILLA_DEBUG'] ?? '') !== '') io.err(`${(error as Error).stack}\n`);
    return completionText(NOTHING, '');
  }
}

async function find(typed: TypedWords, io: Io): Promise<Completion> {
  const { place } = typed;
  switch (place.kind) {
    case 'verb':
      return await completeVerbName(place.parent);
    case 'flag':
      return completeFlag(typed);
    case 'unknown':
      return NOTHING;
    case 'value':
    case 'argument': {
      using session = await quietSession(typed.flags, io);
      return place.kind === 'value'
        ? await completeValue(typed, place.flag, session)
        : await completeArgument(typed, session);
    }
  }
}
