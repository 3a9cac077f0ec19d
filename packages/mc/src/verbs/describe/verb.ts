import { manifestFlags } from '../../manifests/manifest-flags.ts';
import type { Verb } from '../../verb.ts';

/** `kubectl mc describe`: what kubectl says of objects, cluster by cluster. */
export const describeVerb: Verb = {
  name: 'describe',
  usage:
    'describe (-f FILENAME | TYPE[,TYPE...] [NAME_PREFIX | NAME... | -l SELECTOR] | TYPE/NAME... | CLUSTER:TYPE/NAME...)',
  summary: 'Show details of resources of every cluster; needs kubectl',
  examples: [
    'kubectl mc describe pod web-0',
    "kubectl mc describe pod 'nginx-*' -n shop",
    "kubectl mc describe deploy,svc -l app=web --clusters 'prod-*'",
    'kubectl mc describe -f web.yaml',
    'kubectl mc describe c1:pod/web-0 c2:pod/web-0',
    'kubectl mc get pods -o name -l app=web | xargs kubectl mc describe',
  ],
  flags: [
    ...manifestFlags,
    {
      name: 'selector',
      short: 'l',
      kind: 'text',
      value: 'SELECTOR',
      help: "Labels of objects, such as 'app=web,tier in (a,b)'",
    },
    {
      name: 'all-namespaces',
      short: 'A',
      kind: 'bool',
      help: 'Across all namespaces, whatever --namespace says',
    },
    { name: 'show-events', kind: 'bool', help: 'False leaves events out (true)' },
    {
      name: 'chunk-size',
      kind: 'integer',
      value: 'N',
      help: 'Objects per request; 0 asks for all at once (500)',
    },
  ],
  run: async (call, session) => {
    const { runDescribe } = await import('./run-describe.ts');
    return await runDescribe(call, session);
  },
};
