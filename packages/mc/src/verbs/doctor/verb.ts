import type { Verb } from '../../verb.ts';

/** `kubectl mc doctor`: what stands between the user and their clusters. */
export const doctorVerb: Verb = {
  name: 'doctor',
  usage: 'doctor',
  summary: 'Check files, programs, the hub and the way to each cluster, and say what to do',
  examples: [
    'kubectl mc doctor',
    "kubectl mc doctor --clusters 'prod-*'",
    'kubectl mc doctor -o json',
  ],
  flags: [
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      choices: ['json', 'yaml'],
      value: 'FORMAT',
      help: 'json or yaml',
    },
    { name: 'no-headers', kind: 'bool', help: 'Leave out the first line' },
  ],
  bearsWrongSettings: true,
  run: async (call, session) => {
    const { runDoctor } = await import('./run-doctor.ts');
    return await runDoctor(call, session);
  },
};
