import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call, Verb } from '../../verb.ts';
import { clientVersion } from './client-version.ts';

/** `kubectl mc version`: this program, and every cluster's server. */
export const versionVerb: Verb = {
  name: 'version',
  usage: 'version [--client]',
  summary: 'Show the version of this program and of every cluster',
  examples: [
    'kubectl mc version',
    'kubectl mc version --client',
    "kubectl mc version --clusters 'prod-*' -o json",
  ],
  flags: [
    { name: 'client', kind: 'bool', help: 'Only this program; no server is asked' },
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      choices: ['json', 'yaml'],
      value: 'FORMAT',
      help: 'json or yaml',
    },
  ],
  run: async ({ args, flags }: Call, session: Session): Promise<number> => {
    if (args.length > 0) throw new UsageError(`extra arguments: [${args.join(' ')}]`);
    const { io } = session;
    const client = clientVersion();
    const format = flags.text('output');
    if (format === undefined) await io.out(`Client Version: ${client.gitVersion}\n`);
    if (flags.bool('client')) {
      if (format !== undefined) await io.out(await formatted({ clientVersion: client }, format));
      return 0;
    }
    const { serverVersion, versionList, versionTable } = await import('./fleet-versions.ts');
    const outcomes = await session.fanOut(await session.fleet(), serverVersion);
    await io.out(
      format === undefined
        ? versionTable(outcomes)
        : await formatted({ clientVersion: client, clusters: versionList(outcomes) }, format),
    );
    return session.conclude(outcomes);
  },
};

async function formatted(value: unknown, format: string): Promise<string> {
  if (format === 'json') return `${JSON.stringify(value, undefined, 2)}\n`;
  const { toYaml } = await import('../../text/yaml.ts');
  return toYaml(value);
}
