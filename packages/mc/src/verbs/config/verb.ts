import type { Verb } from '../../verb.ts';

/** `kubectl mc config view`: what holds, after flags, environment, config file and defaults. */
export const configViewVerb: Verb = {
  name: 'config view',
  usage: 'config view',
  summary: 'Show the settings that hold, whoever has said them',
  examples: ['kubectl mc config view', 'kubectl mc config view -o json'],
  flags: [
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      choices: ['json', 'yaml'],
      value: 'FORMAT',
      help: 'json or yaml (yaml)',
    },
  ],
  run: async (call, session) => await (await import('./view.ts')).viewConfig(call, session),
};

/** `kubectl mc config set`: one value of the config file. */
export const configSetVerb: Verb = {
  name: 'config set',
  usage: 'config set KEY VALUE',
  summary: 'Set one key of the config file',
  examples: [
    'kubectl mc config set execution.maxConcurrency 50',
    'kubectl mc config set discovery.cacheTTL 15m',
    "kubectl mc config set groups.prod 'prod-*,staging'",
  ],
  flags: [],
  run: async (call, session) => await (await import('./set.ts')).setConfig(call, session),
};
