import type { Verb } from '../../verb.ts';

/** `kubectl mc auth can-i`: whether all clusters would allow something. */
export const canIVerb: Verb = {
  name: 'auth can-i',
  usage: 'auth can-i (VERB (TYPE | TYPE/NAME | NONRESOURCEURL) | --list)',
  summary: 'Check on every cluster whether an action is allowed',
  examples: [
    'kubectl mc auth can-i create pods --all-namespaces',
    'kubectl mc auth can-i list deployments.apps -n shop',
    'kubectl mc auth can-i get pods --subresource=log --as system:serviceaccount:dev:robot',
    'kubectl mc auth can-i get /healthz',
    "kubectl mc auth can-i '*' '*' -q && echo yes, everywhere",
    'kubectl mc auth can-i --list -n shop',
  ],
  flags: [
    {
      name: 'all-namespaces',
      short: 'A',
      kind: 'bool',
      help: 'In all namespaces, whatever --namespace says',
    },
    { name: 'quiet', short: 'q', kind: 'bool', help: 'Only the exit code: 0 yes everywhere, 1 no' },
    { name: 'subresource', kind: 'text', value: 'NAME', help: 'Such as log of pods' },
    { name: 'list', kind: 'bool', help: 'All that is allowed, cluster by cluster' },
    { name: 'no-headers', kind: 'bool', help: 'No headers in the lists of --list' },
  ],
  run: async (call, session) => {
    if (call.flags.bool('list')) {
      const { listRules } = await import('./list-rules.ts');
      return await listRules(call, session);
    }
    const { canI } = await import('./can-i.ts');
    return await canI(call, session);
  },
};

/** `kubectl mc auth whoami`: whom each cluster takes its user for. */
export const whoamiVerb: Verb = {
  name: 'auth whoami',
  usage: 'auth whoami',
  summary: 'Show whom every cluster takes you for',
  examples: ['kubectl mc auth whoami', "kubectl mc auth whoami --clusters 'prod-*' -o json"],
  flags: [
    { name: 'output', short: 'o', kind: 'text', value: 'FORMAT', help: 'json, wide or yaml' },
    { name: 'no-headers', kind: 'bool', help: 'No headers in the table' },
  ],
  run: async (call, session) => {
    const { whoami } = await import('./whoami.ts');
    return await whoami(call, session);
  },
};
