import { matchesLabels, ParseError, parseLabelSelector } from '@flotilla/machinery';
import { isFailure } from '../../fan-out/is-failure.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { Flags } from '../../flags/flag.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import type { Session } from '../../session.ts';
import { chooseColours } from '../../text/colour.ts';
import { printableLine, printableText } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { unexpectedArguments } from '../kubectl-errors.ts';
import { askChanges, type Change } from './ask-changes.ts';
import { type ExternalDiff, externalDiff } from './external-diff.ts';
import { groupChanges } from './group-changes.ts';

const FIELD_MANAGER = 'kubectl-mc';
const CONCURRENCY = 4;

/** 0: nothing would change anywhere. */
const DIFFERENCES = 1;
/** As of kubectl and diff: whoever asks whether something differs must not take a failure for an answer. */
const TROUBLE = 2;

/** Compares what clusters have with what manifests would make of it. */
export async function diff({ args, flags }: Call, session: Session): Promise<number> {
  if (args.length > 0) throw unexpectedArguments('diff', args, 'Unexpected args');
  if (flags.isSet('server-side') && !flags.bool('server-side')) {
    throw new UsageError(
      'Cannot diff without the server: kubectl mc diff always asks for a server-side apply; kubectl diff has the client-side one',
    );
  }
  const { io, settings } = session;
  const manifests = selected(await readManifests(flags, io), flags);
  checkNamespaces(manifests, settings.kubectl.namespaces);
  const fleet = await session.fleet();
  const isAlone = fleet.clusters.length === 1;
  const external = externalDiff(io);
  const outcomes = await session.fanOut(fleet, (member) =>
    askChanges(member, manifests, {
      fieldManager: flags.text('field-manager') ?? FIELD_MANAGER,
      force: flags.bool('force-conflicts'),
      showManagedFields: flags.bool('show-managed-fields'),
      isComparable: !isAlone,
      concurrency: flags.integer('diff-concurrency') ?? CONCURRENCY,
      keepsTexts: external !== undefined,
      warn: (text) => session.warn(isAlone ? text : `${text} (in ${member.cluster.name})`),
    }),
  );
  const isDifferent =
    external === undefined
      ? await writeGroups(outcomes, session, isAlone)
      : await runExternal(outcomes, session, { external, isAlone });
  const code = session.conclude(outcomes);
  const isTrouble = outcomes.some(
    ({ status }) => isFailure(status, true) || status === 'cancelled',
  );
  const hasAnswers = outcomes.some(({ value }) => value !== undefined);
  if (isTrouble || (code !== 0 && !hasAnswers)) return TROUBLE;
  return isDifferent ? DIFFERENCES : 0;
}

function selected(manifests: readonly Manifest[], flags: Flags): readonly Manifest[] {
  const text = flags.text('selector') ?? '';
  if (text === '') return manifests;
  try {
    const selector = parseLabelSelector(text);
    return manifests.filter(({ labels }) => matchesLabels(selector, labels));
  } catch (error) {
    throw error instanceof ParseError ? new UsageError(error.message) : error;
  }
}

/** `-n` says where objects without a namespace go, and the others have to be there already. */
function checkNamespaces(manifests: readonly Manifest[], namespaces: readonly string[]): void {
  const [only, ...more] = new Set(namespaces);
  if (more.length > 0) throw new UsageError('diff takes one namespace');
  const other = manifests.find(({ namespace }) => namespace !== '' && namespace !== only);
  if (only === undefined || other === undefined) return;
  throw new UsageError(
    `the namespace from the provided object "${other.namespace}" does not match the namespace "${only}". You must pass '--namespace=${other.namespace}' to perform this operation.`,
  );
}

type Outcomes = readonly Outcome<readonly Change[]>[];

/** Writes each diff once, below the names of the clusters that it is about; of a single cluster just the diffs. */
async function writeGroups(
  outcomes: Outcomes,
  { io, settings }: Session,
  isAlone: boolean,
): Promise<boolean> {
  const groups = groupChanges(outcomes);
  const total = outcomes.filter(({ value }) => value !== undefined).length;
  const title = titles(settings.output.color, { io, total });
  let before = '';
  for (const { text, clusters } of groups) {
    const shown = io.terminal.out ? printableText(text) : text;
    await io.out(isAlone ? shown : `${before}${title(clusters)}${shown}`);
    before = '\n';
  }
  return groups.length > 0;
}

function titles(
  color: Session['settings']['output']['color'],
  { io, total }: { readonly io: Session['io']; readonly total: number },
): (clusters: readonly string[]) => string {
  const colours = chooseColours(color, io).out;
  return (clusters) => {
    const names = clusters.map((name) => colours.cluster(name, printableLine(name))).join(', ');
    return `CLUSTERS: ${names} (${clusters.length}/${total})\n`;
  };
}

/** Has the user's own program compare, once for all clusters that are to become the same from the same. */
async function runExternal(
  outcomes: Outcomes,
  { io, settings }: Session,
  { external, isAlone }: { readonly external: ExternalDiff; readonly isAlone: boolean },
): Promise<boolean> {
  const groups = new Map<string, { changes: readonly Change[]; clusters: string[] }>();
  const answered = outcomes.filter(({ value }) => value !== undefined);
  for (const { cluster, value = [] } of answered) {
    if (!isAlone && value.every(({ text }) => text === '')) continue;
    const key = JSON.stringify(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { changes: value, clusters: [cluster.name] });
    else group.clusters.push(cluster.name);
  }
  const title = titles(settings.output.color, { io, total: answered.length });
  let isDifferent = false;
  for (const { changes, clusters } of groups.values()) {
    if (!isAlone) await io.out(title(clusters));
    isDifferent = (await external(changes)) === 1 || isDifferent;
  }
  return isDifferent;
}
