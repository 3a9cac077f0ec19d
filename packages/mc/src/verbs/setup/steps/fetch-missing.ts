import { acceptContexts } from '../accept-contexts.ts';
import { addContext, kubeconfigTarget } from '../helpers/add-context.ts';
import { commandFor, type Fetchable, fetchContexts } from '../helpers/fetch-contexts.ts';
import { helperFolder } from '../helpers/helper-folder.ts';
import type { FetchedContext } from '../helpers/read-fetched.ts';
import { detectProvider } from '../providers/detect-provider.ts';
import type { ProviderName } from '../providers/provider.ts';
import { readMetadata } from '../providers/read-metadata.ts';
import type { OpenCluster, SetupRun } from '../setup-run.ts';
import { matchContexts } from './match-contexts.ts';

/** Has the command lines of clouds write the contexts of their clusters. */
export async function fetchMissing(
  open: readonly OpenCluster[],
  run: SetupRun,
): Promise<OpenCluster[]> {
  const { choices, session } = run;
  if (choices.provider === 'none' || open.length === 0) return [...open];
  const fetchable = open.flatMap((each) => fetchableOf(each, run));
  if (fetchable.length === 0) return [...open];
  if (choices.isDryRun) return planned(open, fetchable, run);

  const { io, paths, note } = session;
  await using folder = await helperFolder(paths.cache, io.clock);
  const problems = new Map<string, OpenCluster>();
  let writing: Promise<unknown> = Promise.resolve();
  const take = async (each: Fetchable, context: FetchedContext): Promise<void> => {
    // One after the other: each of them rewrites the kubeconfig and the mapping.
    const turn = writing.then(async () => {
      for (const left of await adopt(each, context, { open, run })) {
        problems.set(left.cluster.name, left);
      }
    });
    writing = turn.catch(() => {});
    await turn;
  };
  await fetchContexts(fetchable, take, {
    io,
    templates: choices.templates,
    folder: folder.path,
    say: run.say,
    note,
  });
  const left = open
    .filter(({ cluster }) => !run.results.has(cluster.name))
    .map((each) => problems.get(each.cluster.name) ?? each);
  // A command of the user's own may have written where it likes.
  await run.reload();
  const tried = new Set(fetchable.map(({ cluster }) => cluster.name));
  const again = left.filter(({ cluster, problem }) => tried.has(cluster.name) && !problem);
  const still = new Set((await matchContexts(again, run)).map(({ cluster }) => cluster.name));
  return left.filter((each) => !again.includes(each) || still.has(each.cluster.name));
}

/** The command for a cluster; none for one of another cloud than was asked for, or of which too little is known. */
function fetchableOf({ cluster }: OpenCluster, run: SetupRun): Fetchable[] {
  const { provider: asked } = run.choices;
  const detected = detectProvider(cluster);
  const isOther = asked !== 'auto' && detected !== undefined && detected !== asked;
  if (isOther) return [];
  const provider = detected ?? (asked === 'auto' ? undefined : (asked as ProviderName));
  const metadata = provider === undefined ? undefined : readMetadata(cluster, provider);
  if (provider === undefined || metadata === undefined || 'missing' in metadata) {
    run.say(`INFO: Cloud metadata not available for ${cluster.name}`);
    if (metadata !== undefined && 'missing' in metadata) {
      run.session.note(1, `${cluster.name}: nothing says its ${metadata.missing.join(', ')}`);
    }
    return [];
  }
  return [{ cluster, provider, ...metadata }];
}

/** Adds a fetched context to the user's kubeconfig and maps its cluster to it. */
async function adopt(
  { cluster, provider, values }: Fetchable,
  fetched: FetchedContext,
  { open, run }: { readonly open: readonly OpenCluster[]; readonly run: SetupRun },
): Promise<OpenCluster[]> {
  const { io } = run.session;
  const file = kubeconfigTarget(await run.routing.kubeconfig(), io.cwd);
  const context = await addContext(fetched, {
    file,
    load: run.reload,
    lock: { clock: io.clock, signal: io.signal },
  });
  await run.reload();
  const found = open.find((each) => each.cluster.name === cluster.name) ?? { cluster };
  const region = values['region'] ?? values['location'];
  const fields = { cloudProvider: provider, ...(region === undefined ? {} : { region }) };
  const candidate = { open: found, context, how: `fetched into ${file}`, fields };
  return await acceptContexts([candidate], run);
}

function planned(
  open: readonly OpenCluster[],
  fetchable: readonly Fetchable[],
  { results, choices }: SetupRun,
): OpenCluster[] {
  for (const each of fetchable) {
    const words = commandFor(each, 'KUBECONFIG', choices.templates);
    results.set(each.cluster.name, { state: 'mapped', detail: `run: ${words.join(' ')}` });
  }
  return open.filter(({ cluster }) => !results.has(cluster.name));
}
