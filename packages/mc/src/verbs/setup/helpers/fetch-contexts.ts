import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lookPathIn } from '@flotilla/client';
import { redactSecrets, secretValues } from '../../../access/credentials/redact.ts';
import type { FleetCluster } from '../../../fleet/cluster.ts';
import type { Io } from '../../../io.ts';
import { printableLine } from '../../../text/printable.ts';
import { fillTemplate } from '../providers/fill-template.ts';
import { type ProviderName, providers, type TemplateName } from '../providers/provider.ts';
import type { CloudValues } from '../providers/read-metadata.ts';
import { inTurns } from './in-turns.ts';
import { type FetchedContext, readFetched } from './read-fetched.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

/** A cluster whose context a cloud's command line can write. */
export interface Fetchable {
  readonly cluster: FleetCluster;
  readonly provider: ProviderName;
  readonly template: Exclude<TemplateName, 'azureLogin'>;
  readonly values: CloudValues;
}

/** What running helpers needs. */
export interface HelperDeps {
  readonly io: Pick<Io, 'env' | 'clock' | 'signal'>;
  readonly templates: Readonly<Record<TemplateName, readonly string[]>>;
  /** For kubeconfigs that helpers write to. */
  readonly folder: string;
  /** Tells something as it is. */
  readonly say: (line: string) => void;
  /** For details. */
  readonly note: (level: number, text: string) => void;
}

const AT_ONCE = 4;
const TIME_LIMIT_MS = 60_000;
const LONGEST_REASON = 240;

/**
 * Has clouds' command lines write contexts, a few at a time, each to a kubeconfig of its own. `take` gets each one as it is
 * there. What does not work is told, and that cluster is left to its user.
 */
export async function fetchContexts(
  clusters: readonly Fetchable[],
  take: (fetchable: Fetchable, context: FetchedContext) => Promise<void>,
  deps: HelperDeps,
): Promise<void> {
  const names = [...new Set(clusters.map(({ provider }) => provider))];
  const usable = new Set<ProviderName>();
  await inTurns(names, AT_ONCE, async (name) => {
    if (await isUsable(name, clusters, deps)) usable.add(name);
  });
  const asked = clusters.filter(({ provider }) => usable.has(provider));
  await inTurns(asked, AT_ONCE, async (fetchable) => {
    const file = join(deps.folder, `${asked.indexOf(fetchable)}.yaml`);
    const found = await fetchContext(fetchable, file, deps);
    if ('context' in found) await take(fetchable, found.context);
    else deps.say(`WARN: Cannot fetch a context for ${fetchable.cluster.name}: ${found.problem}`);
  });
}

/** The words of the command for a cluster; `file` is where its context goes. */
export function commandFor(
  { cluster, template, values }: Fetchable,
  file: string,
  templates: HelperDeps['templates'],
): readonly string[] {
  const all = { ...values, context: contextName(cluster), kubeconfig: file };
  return fillTemplate(templates[template], all, `setup.${template}`);
}

/** What the cluster is called, as far as command lines can bear it. */
function contextName({ name }: FleetCluster): string {
  const plain = name.replace(/[^A-Za-z0-9._@:/-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return plain === '' ? 'cluster' : plain;
}

/** Whether a cloud's command line is there and its user logged in. */
async function isUsable(
  name: ProviderName,
  clusters: readonly Fetchable[],
  deps: HelperDeps,
): Promise<boolean> {
  const { title, cliTitle, cli, login, probe } = providers[name];
  const used = new Set(
    clusters
      .filter(({ provider }) => provider === name)
      .map(({ template }) => deps.templates[template][0] ?? ''),
  );
  const lookPath = lookPathIn(deps.io.env['PATH'] ?? '');
  for (const command of used) {
    if ((await lookPath(command)) !== undefined) continue;
    const what = command === cli ? cliTitle : command;
    deps.say(`WARN: ${what} not found. Install it or configure context manually.`);
    return false;
  }
  const path = await lookPath(cli);
  // Who has a command of their own knows how to log in to it.
  if (!used.has(cli) || path === undefined) return true;
  const ended = await start({ path, args: probe }, deps);
  if (typeof ended !== 'string' && ended.code === 0) return true;
  deps.note(1, `${cli} ${probe.join(' ')}: ${reasonOf(cli, ended, deps)}`);
  deps.say(`WARN: Not authenticated to ${title}. Run '${login}' or set up manually.`);
  return false;
}

async function fetchContext(
  fetchable: Fetchable,
  file: string,
  deps: HelperDeps,
): Promise<{ readonly context: FetchedContext } | { readonly problem: string }> {
  const words = commandFor(fetchable, file, deps.templates);
  const ended = await runWords(words, file, deps);
  if (typeof ended === 'string' || ended.code !== 0) {
    return { problem: reasonOf(words[0] ?? '', ended, deps) };
  }
  if (fetchable.template === 'azure') await convertLogin(fetchable, file, deps);
  const context = readFetched(await readFile(file, 'utf8').catch(() => ''), ended.stdout);
  if (context !== undefined) return { context };
  return { problem: `${basename(words[0] ?? '')} wrote no context that can be used` };
}

/** Has contexts of Azure log in by its command line, instead of asking for a code at every turn. */
async function convertLogin({ cluster }: Fetchable, file: string, deps: HelperDeps): Promise<void> {
  const words = deps.templates.azureLogin;
  const ended = await runWords(words, file, deps);
  if (typeof ended !== 'string' && ended.code === 0) return;
  deps.say(`WARN: ${cluster.name} may ask for a login: ${reasonOf(words[0] ?? '', ended, deps)}`);
}

/** How it ended; a text when it could not be started. */
async function runWords(
  words: readonly string[],
  file: string,
  deps: HelperDeps,
): Promise<ProgramEnd | string> {
  const [command = '', ...args] = words;
  const path = await lookPathIn(deps.io.env['PATH'] ?? '')(command);
  if (path === undefined) return `${command} not found`;
  deps.note(1, `running ${words.join(' ')}`);
  return await start({ path, args, env: { KUBECONFIG: file } }, deps);
}

/** Nobody is asked anything, and nothing is paged. */
const QUIET = { AWS_PAGER: '', CLOUDSDK_CORE_DISABLE_PROMPTS: '1', AZURE_CORE_NO_COLOR: 'true' };

async function start(
  {
    path,
    args,
    env = {},
  }: { path: string; args: readonly string[]; env?: Readonly<Record<string, string>> },
  { io }: HelperDeps,
): Promise<ProgramEnd | string> {
  const { clock, signal } = io;
  try {
    return await runProgram({
      path,
      args,
      env: { ...io.env, ...QUIET, ...env },
      timeoutMs: TIME_LIMIT_MS,
      clock,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    return `${path} cannot be started (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
}

/** Why a program did not do it: how it ended, and the last that it said, without secrets. */
function reasonOf(command: string, ended: ProgramEnd | string, { io }: HelperDeps): string {
  if (typeof ended === 'string') return printableLine(ended);
  const name = basename(command);
  if (ended.timedOut) return `${name} did not finish within ${TIME_LIMIT_MS / 1_000} s`;
  const how =
    ended.code === undefined ? `${name} was killed` : `${name} failed with exit code ${ended.code}`;
  const said = redactSecrets(ended.stderr, secretValues(io.env))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .at(-1);
  return said === undefined ? how : `${how}: ${printableLine(said).slice(0, LONGEST_REASON)}`;
}
