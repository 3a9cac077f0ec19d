import { openFleet } from '../../open-fleet.ts';
import type { Session } from '../../session.ts';
import { configOf, ofEnvironment } from '../../settings/read-settings.ts';
import { printableLine } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import { userKubeconfig } from '../../user-kubeconfig.ts';
import type { Call } from '../../verb.ts';
import { defaultTemplates, type TemplateName } from './providers/provider.ts';
import type { SetupChoices, SetupRun } from './setup-run.ts';
import { askForContexts } from './steps/ask-for-contexts.ts';
import { fetchMissing } from './steps/fetch-missing.ts';
import { keepMapped } from './steps/keep-mapped.ts';
import { leaveReachable } from './steps/leave-reachable.ts';
import { matchContexts } from './steps/match-contexts.ts';
import { exitCode, resultTable } from './summary.ts';

/** Finds a context for each cluster that is meant; each step takes what the ones before it have left open. */
export async function runSetup(call: Call, session: Session): Promise<number> {
  if (call.args.length > 0) {
    throw new UsageError(
      `extra arguments: [${call.args.join(' ')}]\nName clusters with --clusters`,
    );
  }
  const choices = await choicesOf(call, session);
  const finder = openFleet({ ...session, kubeconfig: session.kubeconfig, mayAsk: false });
  const inventory = await finder.inventory({ forWrites: true });
  const clusters = (await finder.select(inventory)).map(({ cluster }) => cluster);
  const run = startRun(session, choices, finder.deps);

  try {
    let open = await keepMapped(clusters, run);
    open = await matchContexts(open, run);
    open = await fetchMissing(open, run);
    open = await leaveReachable(open, run);
    await askForContexts(open, run);
  } finally {
    if (!choices.isDryRun) await forgetInventory(session);
  }

  await session.io.out(resultTable(clusters, run));
  return exitCode(run, session.settings.execution.allowPartial);
}

async function choicesOf({ flags }: Call, { io, settings, paths }: Session): Promise<SetupChoices> {
  const values = { ...(await configOf(paths.config)).values, ...ofEnvironment(io) };
  const names = Object.keys(defaultTemplates) as TemplateName[];
  const isAlone = flags.bool('non-interactive') || !io.terminal.in || !io.terminal.err;
  const [hub, ...others] = settings.hub.contexts;
  const isNamed = flags.isSet('hub-context') && others.length === 0;
  return {
    provider: (flags.text('provider') ?? 'auto') as SetupChoices['provider'],
    mayAsk: !isAlone,
    isDryRun: flags.bool('dry-run'),
    isVerifying: flags.bool('verify'),
    templates: Object.fromEntries(
      names.map((name) => [name, values[`setup.${name}`] ?? defaultTemplates[name]]),
    ) as SetupChoices['templates'],
    hubContext: isNamed && settings.hub.kubeconfig === undefined ? hub : undefined,
  };
}

function startRun(
  session: Session,
  choices: SetupChoices,
  deps: ReturnType<typeof openFleet>['deps'],
): SetupRun {
  const { io, settings } = session;
  let kubeconfig = session.kubeconfig();
  const reload: SetupRun['reload'] = async () => {
    kubeconfig = userKubeconfig(io, settings.kubectl.kubeconfig);
    return await kubeconfig;
  };
  return {
    session,
    choices,
    routing: { ...deps, kubeconfig: async () => await kubeconfig },
    reload,
    results: new Map(),
    say: (line) => io.err(`${printableLine(line)}\n`),
  };
}

/** What was known of the hub may be why setup was run. */
async function forgetInventory({ paths, note }: Session): Promise<void> {
  const { dropCachedHubs } = await import('../../inventory/inventory-cache.ts');
  try {
    await dropCachedHubs(paths.cache);
  } catch (error) {
    note(1, `Cannot forget what the hub said: ${(error as Error).message}`);
  }
}
