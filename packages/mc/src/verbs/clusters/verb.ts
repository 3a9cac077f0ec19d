import type { Session } from '../../session.ts';
import type { Call, Verb } from '../../verb.ts';

/** `kubectl mc clusters`: what the inventory knows, and how each cluster would be reached. */
export const clustersVerb: Verb = {
  name: 'clusters',
  aliases: ['cluster list'],
  usage: 'clusters [PATTERN ...] [--check]',
  summary: 'Show the clusters of the inventory and how each is reached',
  examples: [
    'kubectl mc clusters',
    "kubectl mc clusters 'prod-*' --check",
    'kubectl mc clusters --cluster-selector env=prod -o name',
  ],
  flags: [
    {
      name: 'check',
      kind: 'bool',
      help: 'Ask every cluster for its version, and show how long it took',
    },
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      choices: ['json', 'yaml', 'name', 'wide'],
      value: 'FORMAT',
      help: 'json, yaml, name or wide',
    },
    { name: 'no-headers', kind: 'bool', help: 'Leave out the first line' },
  ],
  run: async ({ args, flags }: Call, session: Session): Promise<number> => {
    const { io } = session;
    const format = flags.text('output');
    if (format === 'name' && !flags.bool('check')) {
      // Scripts and loops ask for nothing else, and need not wait for what they are not told.
      await io.out((await session.chosenNames(args)).map((name) => `${name}\n`).join(''));
      return 0;
    }
    const { clusterRows, clusterList, clusterTable } = await import('./cluster-rows.ts');
    const { serverVersion } = await import('../version/fleet-versions.ts');
    const fleet = await session.fleet(args);
    const outcomes = flags.bool('check')
      ? await session.fanOut(fleet, serverVersion, { isEmpty: () => false })
      : undefined;
    const rows = clusterRows(fleet, outcomes);
    if (format === 'json') {
      await io.out(`${JSON.stringify(clusterList(rows), undefined, 2)}\n`);
    } else if (format === 'yaml') {
      const { toYaml } = await import('../../text/yaml.ts');
      await io.out(toYaml(clusterList(rows)));
    } else if (format === 'name') {
      await io.out(rows.map(({ name }) => `${name}\n`).join(''));
    } else {
      const isWide = format === 'wide';
      await io.out(clusterTable(rows, { isWide, hasHeaders: !flags.bool('no-headers') }));
    }
    return outcomes === undefined ? 0 : session.conclude(outcomes);
  },
};
