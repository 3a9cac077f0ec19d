import type { Verb } from '../../verb.ts';

/** `kubectl mc events`: what happened lately, on every cluster, in one order. */
export const eventsVerb: Verb = {
  name: 'events',
  usage: 'events [--for TYPE/NAME] [--types=Normal,Warning] [--watch]',
  summary: 'List events of every cluster, in the order they were last seen',
  examples: [
    'kubectl mc events',
    'kubectl mc events -A --types=Warning',
    'kubectl mc events --for deploy/web --watch',
    'kubectl mc events --for c1:pod/web -o yaml',
  ],
  flags: [
    {
      name: 'all-namespaces',
      short: 'A',
      kind: 'bool',
      help: 'Across all namespaces, whatever --namespace says',
    },
    { name: 'for', kind: 'text', value: 'TYPE/NAME', help: 'Only events about this object' },
    { name: 'types', kind: 'texts', value: 'TYPE,...', help: 'Only events of Normal or Warning' },
    { name: 'watch', short: 'w', kind: 'bool', help: 'Go on and show events as they come' },
    {
      name: 'watch-timeout',
      kind: 'duration',
      value: 'DURATION',
      help: 'End --watch after this long',
    },
    { name: 'no-headers', kind: 'bool', help: 'Leave out the first line' },
    {
      name: 'chunk-size',
      kind: 'integer',
      value: 'N',
      help: 'Events per request; 0 asks for all at once (500)',
    },
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      value: 'FORMAT',
      help: 'json, yaml, ndjson, name, or go-template or jsonpath with the template after =',
    },
    {
      name: 'template',
      kind: 'text',
      value: 'TEMPLATE',
      help: 'Template, or path of its file, for -o go-template and jsonpath',
    },
    {
      name: 'allow-missing-template-keys',
      kind: 'bool',
      help: 'False makes a field that is missing in a template an error (true)',
    },
    {
      name: 'flat',
      kind: 'bool',
      help: 'With -o json or yaml: one List instead of one per cluster',
    },
    { name: 'show-managed-fields', kind: 'bool', help: 'Keep managedFields in JSON and YAML' },
  ],
  run: async (call, session) => {
    const { runEvents } = await import('./run-events.ts');
    return await runEvents(call, session);
  },
};
