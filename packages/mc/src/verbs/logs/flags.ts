import type { FlagSpec } from '../../flags/flag.ts';

/** The flags of `logs`: kubectl's, and those that only a fleet has. */
export const logFlags: readonly FlagSpec[] = [
  {
    name: 'follow',
    short: 'f',
    kind: 'bool',
    help: 'Go on with what is logged from now on; with a selector also by new pods',
  },
  {
    name: 'selector',
    short: 'l',
    kind: 'text',
    value: 'SELECTOR',
    help: "Pods by label, such as 'app=web,tier in (a,b)'",
  },
  {
    name: 'all-namespaces',
    short: 'A',
    kind: 'bool',
    help: 'Pods of all namespaces, with a selector or a glob',
  },
  { name: 'container', short: 'c', kind: 'text', value: 'NAME', help: 'Of this container' },
  { name: 'all-containers', kind: 'bool', help: 'Of all containers of the pods' },
  { name: 'all-pods', kind: 'bool', help: 'Of all pods of a workload instead of one' },
  { name: 'previous', short: 'p', kind: 'bool', help: 'Of the run before the present one' },
  { name: 'since', kind: 'duration', help: 'Not older than this, such as 5s, 2m or 3h' },
  { name: 'since-time', kind: 'text', value: 'TIME', help: 'Not before this time (RFC 3339)' },
  {
    name: 'tail',
    kind: 'integer',
    help: 'So many lines of the end; -1 for all (-1, or 10 with a selector)',
  },
  { name: 'limit-bytes', kind: 'integer', help: 'No more bytes of each log than this' },
  { name: 'timestamps', kind: 'bool', help: 'Begin each line with its time' },
  {
    name: 'prefix',
    kind: 'bool',
    help: 'Begin each line with cluster, pod and container (unless it is one container of one cluster)',
  },
  {
    name: 'merge',
    kind: 'bool',
    help: 'Lines of all logs in the order of their times; not with --follow',
  },
  {
    name: 'output',
    short: 'o',
    kind: 'text',
    choices: ['json'],
    value: 'FORMAT',
    help: 'json: one object per line',
  },
  {
    name: 'max-log-requests',
    kind: 'integer',
    help: 'How many logs of one cluster may be followed at once (5)',
  },
  {
    name: 'max-total-log-requests',
    kind: 'integer',
    help: 'How many logs of all clusters may be followed or merged at once (200)',
  },
  {
    name: 'ignore-errors',
    kind: 'bool',
    help: 'Show what goes wrong with one log, and go on with the others of its cluster',
  },
  {
    name: 'pod-running-timeout',
    kind: 'duration',
    help: 'How long a workload may take to have a pod (20s)',
  },
  {
    name: 'insecure-skip-tls-verify-backend',
    kind: 'bool',
    help: "Have API servers not check their kubelets' certificates",
  },
];
