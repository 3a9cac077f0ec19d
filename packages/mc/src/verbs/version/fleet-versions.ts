import { formatColumns, isJsonObject } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import { printableCell } from '../../text/printable.ts';

/** What `/version` says. */
export type ServerVersion = Readonly<Record<string, unknown>>;

/** Asks a cluster for its version. */
export async function serverVersion({ client, signal }: Member): Promise<ServerVersion> {
  const answer = await client.raw({ path: '/version', signal });
  if (!isJsonObject(answer)) throw new TypeError('Cannot read the version: it is no object');
  return answer;
}

/** One row per cluster that answered; SKEW counts the minor versions it is behind the newest of them. */
export function versionTable(outcomes: readonly Outcome<ServerVersion>[]): string {
  const answered = outcomes.flatMap(({ cluster, value }) =>
    value === undefined ? [] : [{ name: cluster.name, value, minor: minorOf(value) }],
  );
  if (answered.length === 0) return '';
  const newest = Math.max(...answered.flatMap(({ minor }) => (minor === undefined ? [] : [minor])));
  return formatColumns([
    ['CLUSTER', 'SERVER', 'PLATFORM', 'SKEW'],
    ...answered.map(({ name, value, minor }) => [
      printableCell(name),
      cellOf(value['gitVersion']),
      cellOf(value['platform']),
      minor === undefined ? '<unknown>' : String(minor - newest),
    ]),
  ]);
}

/** For `-o json|yaml`: every cluster with its version, or with why there is none. */
export function versionList(outcomes: readonly Outcome<ServerVersion>[]): unknown[] {
  return outcomes.map(({ cluster, status, value, failure }) => ({
    cluster: cluster.name,
    status,
    ...(value === undefined ? {} : { serverVersion: value }),
    ...(failure === undefined ? {} : { error: failure }),
  }));
}

function cellOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? printableCell(value) : '<unknown>';
}

/** `1.34` as a number that can be compared: nobody knows a second major version. */
function minorOf({ gitVersion, minor }: ServerVersion): number | undefined {
  const fromText = /^v?\d+\.(\d+)/.exec(String(gitVersion ?? ''))?.[1];
  const digits = fromText ?? /^\d+/.exec(String(minor ?? ''))?.[0];
  return digits === undefined ? undefined : Number(digits);
}
