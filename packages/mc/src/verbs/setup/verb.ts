import type { Verb } from '../../verb.ts';

/** `kubectl mc setup`: finds the context of each cluster and writes it to the mapping file. */
export const setupVerb: Verb = {
  name: 'setup',
  usage:
    'setup [--provider auto|aws|gcp|azure|ali|none] [--non-interactive] [--dry-run] [--verify]',
  summary: 'Find the context of each cluster, or fetch it from its cloud, and remember it',
  examples: [
    'kubectl mc setup',
    "kubectl mc setup --clusters 'prod-*' --verify",
    'kubectl mc setup --provider aws --non-interactive',
    'kubectl mc setup --dry-run',
  ],
  flags: [
    {
      name: 'provider',
      kind: 'text',
      value: 'CLOUD',
      choices: ['auto', 'aws', 'gcp', 'azure', 'ali', 'none'],
      help: 'Whose command line may fetch contexts: what clusters say, one cloud, or none (auto)',
    },
    {
      name: 'non-interactive',
      kind: 'bool',
      help: 'Ask nothing; what is not found stays unmapped',
    },
    { name: 'dry-run', kind: 'bool', help: 'Run nothing, write nothing, and show what would be' },
    {
      name: 'verify',
      kind: 'bool',
      help: 'Ask each cluster who it is and who you are to it',
    },
  ],
  run: async (call, session) => {
    const { runSetup } = await import('./run-setup.ts');
    return await runSetup(call, session);
  },
};
