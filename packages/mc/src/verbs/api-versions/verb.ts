import { formatColumns, formatGroupVersion } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { Session } from '../../session.ts';
import { printableCell } from '../../text/printable.ts';
import type { Call, Verb } from '../../verb.ts';
import { countText } from '../api-resources/type-table.ts';
import { sameText } from '../api-resources/verb.ts';
import { unexpectedArguments } from '../kubectl-errors.ts';

/**
 * `kubectl mc api-versions`: a line for each group version that some cluster serves. One that all of them serve is
 * kubectl's line and nothing else, so that `grep -x apps/v1` says whether it can be used everywhere.
 */
export const apiVersionsVerb: Verb = {
  name: 'api-versions',
  usage: 'api-versions [--diff]',
  summary: 'Show the group versions that clusters serve, with a count where not all do',
  examples: [
    'kubectl mc api-versions',
    'kubectl mc api-versions | grep -x autoscaling/v2',
    'kubectl mc api-versions --diff',
  ],
  flags: [
    {
      name: 'diff',
      kind: 'bool',
      help: 'Only versions that not all clusters serve, and where they are missing',
    },
    { name: 'no-headers', kind: 'bool', help: 'No headers in the table of --diff' },
  ],
  run: async ({ args, flags }: Call, session: Session): Promise<number> => {
    if (args.length > 0) throw unexpectedArguments('api-versions', args);
    const outcomes = await session.fanOut(await session.fleet(), askVersions);
    const answers = outcomes.flatMap(({ cluster, value }) =>
      value === undefined ? [] : [{ name: cluster.name, value }],
    );
    const versions = [...new Set(answers.flatMap(({ value }) => [...value]))]
      .sort()
      .map((text) => ({
        text,
        missing: answers.filter(({ value }) => !value.has(text)).map(({ name }) => name),
      }));
    const count = ({ missing }: { readonly missing: readonly string[] }) =>
      countText(answers.length - missing.length, answers.length);
    if (flags.bool('diff')) {
      const lines = versions
        .filter(({ missing }) => missing.length > 0)
        .map((version) => [version.text, count(version), version.missing.join(',')]);
      const header = flags.bool('no-headers') ? [] : [['APIVERSION', 'CLUSTERS', 'MISSING FROM']];
      if (lines.length > 0) {
        await session.io.out(
          formatColumns([...header, ...lines.map((line) => line.map(printableCell))]),
        );
      } else if (answers.length > 0) {
        session.io.err(`${sameText(answers.length, 'versions')}\n`);
      }
    } else {
      const lines = versions.map((version) => {
        const text = printableCell(version.text);
        return version.missing.length === 0 ? [text] : [text, count(version)];
      });
      await session.io.out(formatColumns(lines));
    }
    return session.conclude(outcomes);
  },
};

/** What a cluster serves now, whatever is remembered of it; a version it could not describe is none, as in kubectl. */
async function askVersions({ discovery, signal }: Member): Promise<ReadonlySet<string>> {
  discovery.forget();
  const { groups } = await discovery.surface(signal);
  return new Set(
    groups.flatMap(({ name: group, versions }) =>
      versions.map(({ version }) => formatGroupVersion({ group, version })),
    ),
  );
}
