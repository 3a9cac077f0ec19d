import type { Verb } from '../../verb.ts';
import { logFlags } from './flags.ts';

/** `kubectl mc logs`: what containers say, on every cluster that has them. */
export const logsVerb: Verb = {
  name: 'logs',
  usage: 'logs [-f] [-p] (POD | TYPE/NAME | CLUSTER:TYPE/NAME... | -l SELECTOR) [-c CONTAINER]',
  summary: 'Print the logs of containers of every cluster',
  examples: [
    'kubectl mc logs web-0',
    'kubectl mc logs deploy/web --tail 20',
    "kubectl mc logs -l app=web -f --clusters 'prod-*'",
    'kubectl mc logs -l app=web --since 10m --timestamps --merge',
    'kubectl mc logs -l app=web --all-containers -o json',
    'kubectl mc logs c1:pod/web-0',
  ],
  flags: logFlags,
  run: async (call, session) => {
    const { runLogs } = await import('./run-logs.ts');
    return await runLogs(call, session);
  },
};
