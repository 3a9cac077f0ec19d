import type { FlagSpec } from '../../flags/flag.ts';
import { manifestFlags } from '../../manifests/manifest-flags.ts';
import type { Verb } from '../../verb.ts';

const flags: readonly FlagSpec[] = [
  {
    name: 'for',
    kind: 'lines',
    value: 'CONDITION',
    help: "create, delete, condition=NAME[=VALUE] (true) or jsonpath='{PATH}'[=VALUE]; several are waited for one after the other",
  },
  {
    name: 'timeout',
    kind: 'duration',
    value: 'DURATION',
    help: 'For everything; 0 looks once, a negative one waits for a week (30s)',
  },
  {
    name: 'any',
    kind: 'bool',
    help: 'One cluster is enough. Otherwise all clusters have to meet it: one without the object fails, one without the type, or without a match for a selector, is left out',
  },
  { name: 'all', kind: 'bool', help: 'All objects of the types that are named' },
  {
    name: 'all-namespaces',
    short: 'A',
    kind: 'bool',
    help: 'Across all namespaces, whatever --namespace says',
  },
  {
    name: 'selector',
    short: 'l',
    kind: 'text',
    value: 'SELECTOR',
    help: "Labels of objects, such as 'app=web,tier in (a,b)'",
  },
  {
    name: 'field-selector',
    kind: 'text',
    value: 'SELECTOR',
    help: 'Fields of objects, such as status.phase=Running',
  },
  ...manifestFlags,
  {
    name: 'output',
    short: 'o',
    kind: 'text',
    value: 'FORMAT',
    help: 'json, yaml, name, ndjson, or a template: go-template=..., jsonpath=...',
  },
  { name: 'template', kind: 'text', value: 'TEMPLATE', help: 'Template, or path of its file' },
  {
    name: 'allow-missing-template-keys',
    kind: 'bool',
    help: 'False makes a field that is missing in a template an error (true)',
  },
  { name: 'show-managed-fields', kind: 'bool', help: 'Keep managedFields in JSON and YAML' },
];

/** `kubectl mc wait`: until objects are what they should be, on every cluster. */
export const waitVerb: Verb = {
  name: 'wait',
  usage:
    'wait (-f FILENAME | TYPE/NAME... | CLUSTER:TYPE/NAME... | TYPE (NAME... | -l LABEL | --all)) --for=CONDITION',
  summary:
    'Wait until objects meet a condition on every cluster; exit code 4 where they do not in time',
  examples: [
    'kubectl mc wait --for=condition=Available deploy/web --timeout=60s',
    'kubectl mc wait --for=condition=Ready pods -l app=web -n shop',
    "kubectl mc wait --for=jsonpath='{.status.phase}'=Running pod/web-0 --any",
    'kubectl mc wait --for=delete pod/web-0 --timeout=5m',
    'kubectl mc wait --for=create --for=condition=Established crd/widgets.example.com',
  ],
  flags,
  run: async (call, session) => {
    const { runWait } = await import('./run-wait.ts');
    return await runWait(call, session);
  },
};
