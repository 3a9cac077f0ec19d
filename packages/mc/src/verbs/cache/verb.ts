import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call, Verb } from '../../verb.ts';

/** `kubectl mc cache show`: what is kept, of whom and for how long. */
export const cacheShowVerb: Verb = {
  name: 'cache show',
  usage: 'cache show',
  summary: 'Show what is kept of hubs and clusters between runs',
  examples: ['kubectl mc cache show', 'kubectl mc cache show -o json'],
  flags: [
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      choices: ['json', 'yaml'],
      value: 'FORMAT',
      help: 'json or yaml',
    },
    { name: 'no-headers', kind: 'bool', help: 'Leave out the first line' },
  ],
  run: async ({ flags }: Call, session: Session): Promise<number> => {
    const { io, paths } = session;
    const { listCache, cacheTable } = await import('./cache-files.ts');
    const files = await listCache(paths.cache, io.clock.now());
    const format = flags.text('output');
    if (format === 'json') {
      await io.out(`${JSON.stringify({ folder: paths.cache, files }, undefined, 2)}\n`);
    } else if (format === 'yaml') {
      const { toYaml } = await import('../../text/yaml.ts');
      await io.out(toYaml({ folder: paths.cache, files }));
    } else if (files.length === 0) {
      io.err(`Nothing is kept in ${paths.cache}\n`);
    } else {
      await io.out(cacheTable(files, !flags.bool('no-headers')));
    }
    return 0;
  },
};

/** `kubectl mc cache clear`: forgets what is kept. */
export const cacheClearVerb: Verb = {
  name: 'cache clear',
  usage: 'cache clear [inventory | discovery | credentials ...]',
  summary: 'Forget what is kept of hubs and clusters between runs',
  examples: ['kubectl mc cache clear', 'kubectl mc cache clear inventory'],
  flags: [],
  run: async ({ args }: Call, session: Session): Promise<number> => {
    const { clearCache, CACHE_KINDS } = await import('./cache-files.ts');
    const unknown = args.find((arg) => !CACHE_KINDS.some((kind) => kind === arg));
    if (unknown !== undefined) {
      throw new UsageError(
        `Cannot forget "${unknown}": what is kept are ${CACHE_KINDS.join(', ')}`,
      );
    }
    const kinds = CACHE_KINDS.filter((kind) => args.length === 0 || args.includes(kind));
    const count = await clearCache(session.paths.cache, kinds);
    await session.io.out(`Removed ${count} ${count === 1 ? 'file' : 'files'}\n`);
    return 0;
  },
};
