import { manifestFlags } from '../../manifests/manifest-flags.ts';
import type { Verb } from '../../verb.ts';

/** `kubectl mc diff`: what applying manifests would change, and on which clusters. */
export const diffVerb: Verb = {
  name: 'diff',
  usage: 'diff (-f FILENAME | -k FOLDER)',
  summary: 'Show what applying manifests would change on every cluster',
  examples: [
    'kubectl mc diff -f app.yaml',
    "kubectl mc diff -f deploy/ -R --clusters 'prod-*'",
    'generate | kubectl mc diff -f - --force-conflicts',
    'KUBECTL_EXTERNAL_DIFF="colordiff -N -u" kubectl mc diff -f app.yaml',
  ],
  flags: [
    ...manifestFlags,
    {
      name: 'selector',
      short: 'l',
      kind: 'text',
      value: 'SELECTOR',
      help: "Only manifests with these labels, such as 'app=web,tier in (a,b)'",
    },
    {
      name: 'server-side',
      kind: 'bool',
      help: 'Server-side apply, which it always is: kubectl diff compares client-side unless told',
    },
    {
      name: 'force-conflicts',
      kind: 'bool',
      help: 'Take over fields that belong to other managers',
    },
    {
      name: 'field-manager',
      kind: 'text',
      value: 'NAME',
      help: 'Who would own the fields (kubectl-mc)',
    },
    { name: 'show-managed-fields', kind: 'bool', help: 'Compare managedFields, too' },
    {
      name: 'diff-concurrency',
      kind: 'integer',
      value: 'N',
      help: "Objects asked for at once on each cluster (4); kubectl's --concurrency",
    },
  ],
  errorCode: 2,
  run: async (call, session) => {
    const { diff } = await import('./run-diff.ts');
    return await diff(call, session);
  },
};
