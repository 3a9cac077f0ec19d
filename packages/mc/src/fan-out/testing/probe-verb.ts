import type { Verb } from '../../verb.ts';
import { podNames } from './test-fleet.ts';

/** The least a verb can be: a line for each cluster that answers, and the summary. */
export const probeVerb: Verb = {
  name: 'probe',
  usage: 'probe',
  summary: 'List pods',
  flags: [],
  run: async (_call, session) => {
    const fleet = await session.fleet();
    const outcomes = await session.fanOut(fleet, podNames, {
      isEmpty: (names) => names.length === 0,
    });
    for (const { cluster, value } of outcomes) {
      if (value !== undefined) await session.io.out(`${cluster.name}: ${value.join(' ')}\n`);
    }
    return session.conclude(outcomes);
  },
};
