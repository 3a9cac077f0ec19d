import { formatColumns } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { Session } from '../../session.ts';
import { printableCell } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { clusterBlocks } from '../cluster-blocks.ts';
import { notAbsent } from '../not-absent.ts';
import { compactRules, type Rule, readRules } from './rules.ts';
import { warnFleet } from './warn-fleet.ts';

/** What a cluster lets its user do. */
interface RulesAnswer {
  readonly places: readonly { readonly namespace: string; readonly rules: readonly Rule[] }[];
  readonly warnings: readonly string[];
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';

/** Prints all that is allowed, a block per cluster. */
export async function listRules({ args, flags }: Call, session: Session): Promise<number> {
  if (args.length > 0) throw new UsageError('list option must be specified with no arguments');
  if (flags.bool('quiet') || flags.bool('all-namespaces') || (flags.text('subresource') ?? '')) {
    throw new UsageError(
      "list option can't be specified with neither quiet, all-namespaces nor subresource options",
    );
  }
  const { io, settings } = session;
  const namespaces = [...new Set(settings.kubectl.namespaces)];
  const fleet = await session.fleet();
  const outcomes = await session.fanOut(fleet, (member) => askRules(member, namespaces));
  warnFleet(outcomes, session);
  const isSeveral = namespaces.length > 1;
  const write = clusterBlocks(io, fleet.clusters.length === 1 && !isSeveral);
  for (const { cluster, value } of outcomes) {
    for (const { namespace, rules } of value?.places ?? []) {
      const title = isSeveral ? `${cluster.name}, NAMESPACE: ${namespace}` : cluster.name;
      await write(title, rulesTable(rules, !flags.bool('no-headers')));
    }
  }
  return session.conclude(outcomes);
}

async function askRules(member: Member, namespaces: readonly string[]): Promise<RulesAnswer> {
  const { client, signal, namespace: own } = member;
  const warnings: string[] = [];
  const places = await Promise.all(
    (namespaces.length > 0 ? namespaces : [own]).map(async (namespace) => {
      const review = { kind: 'SelfSubjectRulesReview', apiVersion: 'authorization.k8s.io/v1' };
      const answer = await client
        .raw({ method: 'POST', path: REVIEWS, body: { ...review, spec: { namespace } }, signal })
        .catch((error: unknown) => {
          throw notAbsent(error);
        });
      const { rules, incomplete } = readRules(answer);
      if (incomplete !== undefined) warnings.push(`the list may be incomplete: ${incomplete}`);
      return { namespace, rules: compactRules(rules) };
    }),
  );
  return { places, warnings };
}

function rulesTable(rules: readonly Rule[], hasHeaders: boolean): string {
  const lines = rules.map(({ resource, group, names, urls, verbs }) =>
    [combined(resource, group), listText(urls), listText(names), listText(verbs)].map(
      printableCell,
    ),
  );
  const header = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  return formatColumns(hasHeaders ? [header, ...lines] : lines);
}

/** `deployments.apps/scale`. */
function combined(resource: string, group: string): string {
  const slash = resource.indexOf('/');
  const [type, sub] =
    slash < 0 ? [resource, ''] : [resource.slice(0, slash), resource.slice(slash)];
  return `${type}${group === '' || resource === '' ? '' : `.${group}`}${sub}`;
}

/** A list as Go prints it. */
function listText(texts: readonly string[]): string {
  return `[${texts.join(' ')}]`;
}
