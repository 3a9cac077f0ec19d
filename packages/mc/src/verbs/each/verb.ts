import type { Verb } from '../../verb.ts';

/** `kubectl mc each`: any command of kubectl, on every cluster. */
export const eachVerb: Verb = {
  name: 'each',
  usage: 'each [--stdin] -- KUBECTL_ARGUMENTS...',
  summary: 'Run any kubectl command on every cluster, its lines marked with their names',
  examples: [
    '# Whatever kubectl and its plugins can do; lines come as they are printed',
    'kubectl mc each -- get pods -l app=web',
    '# What is not known to change nothing needs --clusters, --cluster-selector, --placement,',
    '# --group or --all-clusters, asks the hub anew, and is refused on protected clusters and',
    '# where two names lead to one server. Nothing is asked before it is done',
    "kubectl mc each --clusters 'prod-*' -- rollout restart deploy/web",
    '# Standard input is read once and given to all, where -f - or --stdin asks for it',
    'kubectl mc each --all-clusters -- apply -f - < web.yaml',
    '# What waits (wait, exec, logs -f, get -w, ...) has no time limit unless one is given',
    "kubectl mc each --clusters 'dev-*' --cluster-timeout 5m -- exec deploy/web -- df -h",
    '# Exit codes: 0 all well, 3 some failed, 1 all failed; 1 also for a diff or a no of can-i',
    'kubectl mc each -- diff -f web.yaml',
  ],
  flags: [
    {
      name: 'stdin',
      short: 'i',
      kind: 'bool',
      help: 'Read standard input to its end, and give it to every kubectl; -f - does, too',
    },
  ],
  run: async (call, session) => {
    const { runEach } = await import('./run-each.ts');
    return await runEach(call, session);
  },
};
