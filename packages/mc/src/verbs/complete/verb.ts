import type { Verb } from '../../verb.ts';

/**
 * `kubectl-mc __complete -- WORDS…`: what the last of the words may become. `kubectl_complete-mc` calls it, and so do the
 * scripts of `kubectl mc completion`.
 */
export const completeVerb: Verb = {
  name: '__complete',
  usage: '__complete -- [WORD ...]',
  summary: 'Tell what the last of the words may become',
  flags: [],
  run: async ({ rest = [] }, { io }) => {
    const { complete } = await import('./complete.ts');
    await io.out(await complete(rest, io));
    return 0;
  },
};
