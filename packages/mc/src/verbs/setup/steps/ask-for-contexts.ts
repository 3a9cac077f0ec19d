import { acceptContexts } from '../accept-contexts.ts';
import { askContext, type ContextChoice } from '../ask-context.ts';
import type { OpenCluster, SetupRun } from '../setup-run.ts';
import { takenContexts, usableContexts } from './match-contexts.ts';

/** Asks the user about each cluster that is left; what they answer is written before the next question. */
export async function askForContexts(open: readonly OpenCluster[], run: SetupRun): Promise<void> {
  const { io } = run.session;
  let mayAsk = run.choices.mayAsk && !run.choices.isDryRun;
  for (const each of open) {
    io.signal.throwIfAborted();
    if (!mayAsk) {
      const detail = each.problem ?? leftOpen(run);
      run.results.set(each.cluster.name, { state: 'unmapped', detail });
    } else if (!(await askUntilDone(each, run))) mayAsk = false;
  }
}

/** False when the user wants no more questions. */
async function askUntilDone(open: OpenCluster, run: SetupRun): Promise<boolean> {
  const { io } = run.session;
  const { name, offers } = open.cluster;
  const where = offers[0]?.server ?? '';
  run.say(`${name}${where === '' ? '' : ` (${where})`} has no context.`);
  let { problem } = open;
  for (;;) {
    if (problem !== undefined) run.say(`  ${problem}`);
    const answer = await askContext(name, await choicesFor(run), io);
    io.signal.throwIfAborted();
    if (answer === 'skip' || answer === 'stop') {
      run.results.set(name, { state: 'skipped', detail: problem ?? '' });
      return answer === 'skip';
    }
    const candidate = { open, context: answer.context, how: 'as you said', isChosen: true };
    const [left] = await acceptContexts([candidate], run);
    if (left === undefined) return true;
    problem = left.problem;
  }
}

async function choicesFor(run: SetupRun): Promise<ContextChoice[]> {
  const kubeconfig = await run.routing.kubeconfig();
  const taken = await takenContexts(run);
  return usableContexts(kubeconfig).map((name) => ({
    name,
    server: kubeconfig.clusters.get(kubeconfig.contexts.get(name)?.cluster ?? '')?.server ?? '',
    mappedTo: taken.get(name),
  }));
}

function leftOpen({ choices }: SetupRun): string {
  if (choices.isDryRun && choices.mayAsk) return 'you would be asked';
  return 'run kubectl mc setup on a terminal to be asked';
}
