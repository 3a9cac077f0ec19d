import { formatColumns, goSprint, isJsonObject, isNotFound, type Json } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { Session } from '../../session.ts';
import { printableCell } from '../../text/printable.ts';
import type { Call } from '../../verb.ts';
import { unexpectedArguments, unsuitableFormat } from '../kubectl-errors.ts';

const FORMATS = ['json', 'wide', 'yaml'];
/** Newest first; older servers have only one of the others. */
const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'];

/** Asks each cluster whom it takes the user for. */
export async function whoami({ args, flags }: Call, session: Session): Promise<number> {
  if (args.length > 0) throw unexpectedArguments('auth whoami', args);
  const output = flags.text('output') ?? '';
  if (output !== '' && !FORMATS.includes(output)) throw unsuitableFormat(output, FORMATS);
  const outcomes = await session.fanOut(await session.fleet(), askWhoami);
  if (output === 'json' || output === 'yaml') {
    const { printEnvelope } = await import('../print-envelope.ts');
    await printEnvelope(outcomes, { format: output, items: (review) => [review] }, session);
  } else {
    await session.io.out(
      userTable(outcomes, { isWide: output === 'wide', hasHeaders: !flags.bool('no-headers') }),
    );
  }
  return session.conclude(outcomes);
}

/** The SelfSubjectReview that a cluster answers with. */
async function askWhoami({ client, signal }: Member): Promise<Json> {
  for (const version of VERSIONS) {
    const apiVersion = `authentication.k8s.io/${version}`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const body = { kind: 'SelfSubjectReview', apiVersion };
    try {
      const review = await client.raw({ method: 'POST', path, body, signal });
      if (!isJsonObject(review)) throw new TypeError('the review is no object');
      return review;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  throw new Error('the selfsubjectreviews API is not enabled in the cluster');
}

function userTable(
  outcomes: readonly Outcome<Json>[],
  { isWide, hasHeaders }: { readonly isWide: boolean; readonly hasHeaders: boolean },
): string {
  const rows = outcomes.flatMap(({ cluster, value }) => {
    if (value === undefined) return [];
    const { username, uid, groups, extra } = userOf(value);
    const cells = [cluster.name, username, groups, uid, ...(isWide ? [extra] : [])];
    return [cells.map((cell) => (cell === '' ? '<none>' : printableCell(cell)))];
  });
  if (rows.length === 0) return '';
  const header = ['CLUSTER', 'USERNAME', 'GROUPS', 'UID', ...(isWide ? ['EXTRA'] : [])];
  return formatColumns(hasHeaders ? [header, ...rows] : rows);
}

function userOf({
  status,
}: Json): Readonly<Record<'username' | 'uid' | 'groups' | 'extra', string>> {
  const user = isJsonObject(status) ? status['userInfo'] : undefined;
  const { username, uid, groups, extra } = isJsonObject(user) ? user : {};
  const pairs = isJsonObject(extra)
    ? Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))
    : [];
  return {
    username: textOf(username),
    uid: textOf(uid),
    groups: Array.isArray(groups) ? groups.map(textOf).join(',') : '',
    extra: pairs.map(([key, values]) => `${key}=${goSprint(values)}`).join(','),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
