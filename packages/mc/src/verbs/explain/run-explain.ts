import { NO_SUCH_TYPE } from '../../fan-out/answer-errors.ts';
import type { Fleet, RoutedCluster } from '../../fan-out/fleet.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { Flags } from '../../flags/flag.ts';
import type { Session } from '../../session.ts';
import { printableText } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { askExplanation, type ExplainFormat } from './ask-explanation.ts';
import { readRequest } from './find-type.ts';

/**
 * Has one cluster explain a type: the first that is healthy. Only when that one does not answer, or does not have the
 * type, are the others asked, and the first of them that has it counts.
 */
export async function explain({ args, flags }: Call, session: Session): Promise<number> {
  const [text] = args;
  if (text === undefined) {
    throw new UsageError(
      'You must specify the type of resource to explain. Use "kubectl mc api-resources" for a complete list of supported resources.',
    );
  }
  if (args.length > 1) throw new UsageError('We accept only this format: explain RESOURCE');
  const format = formatOf(flags);
  const question = {
    request: readRequest(text, flags.text('api-version') ?? ''),
    isRecursive: flags.bool('recursive'),
    format,
    useless: new Map<string, Error>(),
  };
  const ask = (clusters: readonly RoutedCluster[]) =>
    session.fanOut({ clusters }, (member) => askExplanation(member, question));
  const [first, ...others] = byHealth(await session.fleet());
  const outcomes = first === undefined ? [] : await ask([first]);
  if (!outcomes.some(isExplained) && others.length > 0) outcomes.push(...(await ask(others)));
  return await finish(outcomes, session);
}

function formatOf(flags: Flags): ExplainFormat {
  const format = flags.text('output') ?? 'plaintext';
  if (format === 'plaintext' || format === 'plaintext-openapiv2') return format;
  throw new UsageError(`unrecognized format: ${format}`);
}

const HEALTH = { healthy: 0, unknown: 1, unhealthy: 2 } as const;
const NO_ROUTE = 3;

/** Those that will most likely answer come first. */
function byHealth({ clusters }: Fleet): RoutedCluster[] {
  const rank = ({ cluster, routing }: RoutedCluster): number =>
    'route' in routing ? HEALTH[cluster.health] : NO_ROUTE;
  return clusters.toSorted((a, b) => rank(a) - rank(b));
}

function isExplained({ status }: Outcome<string>): boolean {
  return status === 'ok';
}

async function finish(outcomes: readonly Outcome<string>[], session: Session): Promise<number> {
  const { io, note } = session;
  const write = (text: string) => io.out(io.terminal.out ? printableText(text) : text);
  const explained = outcomes.find(isExplained);
  if (explained !== undefined) {
    await write(explained.value ?? '');
    note(1, `  ${explained.cluster.name}: explained it`);
    return 0;
  }
  const [first] = outcomes;
  const isNowhere = outcomes.every(({ status }) => status === 'absent' || status === 'skipped');
  if (!isNowhere || first?.failure === undefined || first.status !== 'absent') {
    return session.conclude(outcomes) || 1;
  }
  const { reason, message } = first.failure;
  await write(first.value ?? '');
  // Of a type that is not there, kubectl says this and no more.
  io.err(reason === NO_SUCH_TYPE ? `${message}\n` : `error: ${message}\n`);
  return 1;
}
