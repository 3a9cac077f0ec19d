import type { Verb } from '../../verb.ts';
import { getFlags } from './flags.ts';

/** `kubectl mc get`: what kubectl gets, from every cluster. */
export const getVerb: Verb = {
  name: 'get',
  usage:
    'get (TYPE[.VERSION][.GROUP][,TYPE...] [NAME...] | TYPE[.VERSION][.GROUP]/NAME... | CLUSTER:TYPE/NAME...)',
  summary: 'Display one or many resources of every cluster',
  examples: [
    'kubectl mc get pods',
    'kubectl mc get pods -A -o wide',
    "kubectl mc get deploy,svc -n shop --clusters 'prod-*'",
    "kubectl mc get pod 'nginx-*' --sort-by .metadata.creationTimestamp",
    'kubectl mc get deploy/web -o json',
    'kubectl mc get deploy web --missing',
    'kubectl mc get deploy -n shop --compare .spec.replicas',
    'kubectl mc get pods -o name',
  ],
  flags: getFlags,
  run: async (call, session) => {
    const { runGet } = await import('./run-get.ts');
    return await runGet(call, session);
  },
};
