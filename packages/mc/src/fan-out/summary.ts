import type { Colours } from '../text/colour.ts';
import { printableLine } from '../text/printable.ts';
import { NO_SUCH_TYPE } from './answer-errors.ts';
import type { Outcome } from './outcome.ts';
import type { Tally } from './tally.ts';

/** How much is said, and in which colours. */
export interface SummaryStyle {
  readonly isVerbose: boolean;
  readonly colours: Colours;
}

/** As many causes are listed where nobody asked for details. */
const FEW = 3;
/** Names in one line; the rest is counted. */
const FEW_NAMES = 10;
const LONGEST_CAUSE = 240;

/** The clusters that failed, and why: all causes when nothing came of the run, a few otherwise. */
export function failureText(tally: Tally, { isVerbose, colours }: SummaryStyle): string {
  const { failed, ok, asked } = tally;
  if (failed.length === 0) return '';
  const isTotal = ok.length === 0;
  const count = `Failed to query ${failed.length}/${asked} clusters`;
  const details = isVerbose || isTotal ? '.' : '. Run with -v for details.';
  const head = isTotal
    ? colours.error(`error: ${count}${details}`)
    : `${colours.warning('Warning:')} ${count}${details}`;
  const causes = byCause(failed);
  const isListed = isVerbose || isTotal || causes.length <= FEW;
  const lines = isListed ? causes.map((group) => causeLine(group, { isVerbose, colours })) : [];
  return textOf([head, ...lines]);
}

/** What no cluster has is told in kubectl's words, once; what some have not is a detail. */
export function absentText({ absent, ok, asked }: Tally, { isVerbose, colours }: SummaryStyle) {
  if (absent.length === 0) return '';
  if (ok.length > 0) {
    const lines = byCause(absent).map((group) => causeLine(group, { isVerbose, colours }));
    return isVerbose ? textOf(lines) : '';
  }
  const lines = byCause(absent).map((group) => {
    const { reason = 'NotFound', code, message = '' } = group[0]?.failure ?? {};
    const isOfServer = code !== undefined || reason === 'NotFound';
    const said = isOfServer ? `Error from server (${reason}): ${message}` : `error: ${message}`;
    const where = asked > 1 && reason !== NO_SUCH_TYPE ? ` (in ${group.length} clusters)` : '';
    return colours.error(said + where);
  });
  return textOf(lines);
}

/** Those that were never asked, or not to the end. */
export function leftOutText({ cancelled, skipped, ok }: Tally, style: SummaryStyle): string {
  const isStarted = ({ failure }: Outcome<unknown>) => failure?.reason !== 'NotStarted';
  const isUnhealthy = ({ failure }: Outcome<unknown>) => failure?.reason === 'Unhealthy';
  const started = cancelled.filter(isStarted);
  const waiting = cancelled.filter((each) => !isStarted(each));
  const ill = skipped.filter(isUnhealthy);
  const unknown = skipped.filter((each) => !isUnhealthy(each));
  const lines = [
    started.length === 0 ? '' : `Cancelled: ${names(started, style)}`,
    waiting.length === 0 ? '' : `Not started: ${names(waiting, style)}`,
    ill.length === 0 ? '' : `Skipped because the hub calls them unhealthy: ${names(ill, style)}`,
    unknown.length === 0
      ? ''
      : `Skipped without a way to reach them: ${names(unknown, style)}. Run: kubectl mc setup`,
  ].filter((line) => line !== '');
  const isNothingLeft = skipped.length > 0 && cancelled.length === 0 && ok.length === 0;
  return textOf(isNothingLeft ? lines.map((line) => style.colours.error(line)) : lines);
}

/** How long those took that answered. */
export function timingLines({ ok }: Tally): string {
  const time = (ms: number) => (ms < 1_000 ? `${ms}ms` : `${(ms / 1_000).toFixed(1)}s`);
  return textOf(
    ok.map(({ cluster, status, elapsedMs, route }) => {
      const where = route === undefined ? '' : ` (${printableLine(route.server)})`;
      return `  ${printableLine(cluster.name)}: ${status} after ${time(elapsedMs)}${where}`;
    }),
  );
}

/** Those that failed in the same words are told of together: a missing plugin is missing for all of them. */
function byCause(outcomes: readonly Outcome<unknown>[]): Outcome<unknown>[][] {
  const groups = new Map<string, Outcome<unknown>[]>();
  for (const outcome of outcomes) {
    const key = `${outcome.status}\n${outcome.failure?.message}\n${outcome.failure?.hint}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [outcome]);
    else group.push(outcome);
  }
  return [...groups.values()];
}

function causeLine(group: readonly Outcome<unknown>[], style: SummaryStyle): string {
  const [first] = group;
  const { message = '', hint } = first?.failure ?? {};
  const status = first?.status ?? 'error';
  const said = message.startsWith(status) ? message : `${status}: ${message}`;
  const cause = style.isVerbose ? said : shortened(said);
  return `  ${names(group, style)}: ${cause}${hint === undefined ? '' : `; ${hint}`}`;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_CAUSE
    ? `${characters.slice(0, LONGEST_CAUSE).join('')}…`
    : text;
}

function names(outcomes: readonly Outcome<unknown>[], { isVerbose, colours }: SummaryStyle) {
  const shown = isVerbose ? outcomes : outcomes.slice(0, FEW_NAMES);
  const rest = outcomes.length - shown.length;
  const all = shown.map(({ cluster }) =>
    colours.cluster(cluster.name, printableLine(cluster.name)),
  );
  return `${all.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
