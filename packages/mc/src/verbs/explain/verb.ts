import type { Verb } from '../../verb.ts';

/** `kubectl mc explain`: what a type's fields mean, in the words of a cluster that has it. */
export const explainVerb: Verb = {
  name: 'explain',
  usage: 'explain TYPE[.FIELD...]',
  summary: 'Explain a type and its fields, as the first healthy cluster describes them',
  examples: [
    'kubectl mc explain pods.spec.containers',
    'kubectl mc explain deployments.apps --recursive',
    'kubectl mc explain cronjobs --api-version=batch/v1',
    'kubectl mc explain widgets.spec --clusters edge-1',
  ],
  flags: [
    { name: 'recursive', kind: 'bool', help: 'All fields of fields, without descriptions' },
    {
      name: 'api-version',
      kind: 'text',
      value: 'GROUP/VERSION',
      help: 'Another version than the one that the cluster prefers',
    },
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      value: 'FORMAT',
      help: 'plaintext or plaintext-openapiv2 (plaintext)',
    },
  ],
  run: async (call, session) => {
    const { explain } = await import('./run-explain.ts');
    return await explain(call, session);
  },
};
