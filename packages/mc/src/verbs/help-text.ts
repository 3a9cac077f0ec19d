import { optionsHelp, parentHelp, rootHelp, verbHelp } from '../flags/help.ts';
import type { LoadVerb } from './table.ts';

/** What is told about `words`: everything, the flags of all verbs, one verb, or those of a first word. Undefined when nobody knows them. */
export async function helpText(
  words: readonly string[],
  verbs: Readonly<Record<string, LoadVerb>>,
): Promise<string | undefined> {
  const topic = words.join(' ');
  if (topic === '') return rootHelp(await list(verbs, () => true));
  if (topic === 'options') return optionsHelp();
  // What stands behind a verb is what it would be called with.
  for (let length = words.length; length > 0; length -= 1) {
    const verb = await verbs[words.slice(0, length).join(' ')]?.();
    if (verb !== undefined) return verbHelp(verb);
  }
  const below = await list(verbs, (name) => name.startsWith(`${topic} `));
  return below.length === 0 ? undefined : parentHelp(topic, below);
}

/** Verbs under their own names: other names for them are told in their help. */
async function list(
  verbs: Readonly<Record<string, LoadVerb>>,
  isWanted: (name: string) => boolean,
): Promise<{ name: string; summary: string }[]> {
  const wanted = Object.entries(verbs).filter(([name]) => isWanted(name) && !name.startsWith('_'));
  const loaded = await Promise.all(
    wanted.map(async ([name, load]) => ({ name, verb: await load() })),
  );
  return loaded
    .filter(({ name, verb }) => name === verb.name || name.startsWith(`${verb.name} `))
    .map(({ name, verb }) => ({ name, summary: verb.summary }));
}
