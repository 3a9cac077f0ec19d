import type { Verb } from '../../verb.ts';
import { topFlags } from './top-plan.ts';

/** `kubectl mc top pods`: what the pods of every cluster use. */
export const topPodsVerb: Verb = {
  name: 'top pods',
  aliases: ['top pod', 'top po'],
  usage: 'top pods [NAME | CLUSTER:pod/NAME | -l LABEL]',
  summary: 'Display the CPU and memory that pods of every cluster use',
  examples: [
    'kubectl mc top pods',
    'kubectl mc top pods -A --sort-by=memory',
    'kubectl mc top pods -n shop,billing -l app=web --sum',
    'kubectl mc top pod web-0 --containers',
    'kubectl mc top pods -A -o json',
  ],
  flags: [
    { name: 'containers', kind: 'bool', help: 'Show each container of a pod' },
    {
      name: 'all-namespaces',
      short: 'A',
      kind: 'bool',
      help: 'Across all namespaces, whatever --namespace says',
    },
    {
      name: 'field-selector',
      kind: 'text',
      value: 'SELECTOR',
      help: 'Fields of pods, such as metadata.name=web',
    },
    ...topFlags,
  ],
  run: async (call, session) => {
    const { runTopPods } = await import('./run-pods.ts');
    return await runTopPods(call, session);
  },
};

/** `kubectl mc top nodes`: what the nodes of every cluster use. */
export const topNodesVerb: Verb = {
  name: 'top nodes',
  aliases: ['top node', 'top no'],
  usage: 'top nodes [NAME | CLUSTER:node/NAME | -l LABEL]',
  summary: 'Display the CPU and memory that nodes of every cluster use',
  examples: [
    'kubectl mc top nodes',
    'kubectl mc top nodes --sort-by=cpu --sum',
    'kubectl mc top node worker-1 --show-capacity',
  ],
  flags: [
    {
      name: 'show-capacity',
      kind: 'bool',
      help: 'Compare with what nodes have, not with what pods may have of it',
    },
    ...topFlags,
  ],
  run: async (call, session) => {
    const { runTopNodes } = await import('./run-nodes.ts');
    return await runTopNodes(call, session);
  },
};
