import { createSession } from './create-session.ts';
import type { Flags } from './flags/flag.ts';
import { FlagError } from './flags/flag-error.ts';
import { type FlagTable, flagTable } from './flags/flag-table.ts';
import { globalFlags } from './flags/global-flags.ts';
import { type ParsedFlags, parseFlags } from './flags/parse-flags.ts';
import { nearNames, suggestion } from './flags/suggest.ts';
import { BrokenPipe, Interrupted, type Io } from './io.ts';
import type { Session } from './session.ts';
import { readSettings } from './settings/read-settings.ts';
import { UsageError } from './usage-error.ts';
import type { Verb } from './verb.ts';
import { findVerb, type UnknownVerb } from './verbs/find-verb.ts';
import { verbs as allVerbs, type LoadVerb } from './verbs/table.ts';

/** Verbs by what is typed. */
type Verbs = Readonly<Record<string, LoadVerb>>;

/**
 * Runs one command line, without `kubectl mc`, to its exit code. Everything that goes wrong is told on stderr as
 * kubectl tells it.
 */
export async function run(
  argv: readonly string[],
  io: Io,
  verbs: Verbs = allVerbs,
): Promise<number> {
  let called: Verb | undefined;
  const load = async (name: string): Promise<Verb> => {
    called = await loadVerb(verbs, name);
    return called;
  };
  try {
    const code = await dispatch(argv, io, { verbs, load });
    return interruptedCode(io.signal) ?? code;
  } catch (error) {
    const code = interruptedCode(io.signal);
    if (code !== undefined) return code;
    // Whoever stopped reading has what they wanted.
    if (io.signal.reason instanceof BrokenPipe) return 0;
    const { reportError } = await import('./report-error.ts');
    const reported = reportError(error, io);
    return reported === 0 ? 0 : (called?.errorCode ?? reported);
  }
}

function interruptedCode({ reason }: AbortSignal): number | undefined {
  return reason instanceof Interrupted ? reason.exitCode : undefined;
}

async function dispatch(
  argv: readonly string[],
  io: Io,
  { verbs, load }: { verbs: Verbs; load: (name: string) => Promise<Verb> },
): Promise<number> {
  const globals = flagTable(globalFlags);
  const found = findVerb(argv, Object.keys(verbs), globals);
  if (!('name' in found)) return await withoutVerb(argv, found, { io, verbs, globals });

  const verb = await load(found.name);
  const table = flagTable(verb.flags, globalFlags);
  const { args, rest, flags } = parse(found.words, table, found.name);
  if (flags.bool('help')) {
    const { verbHelp } = await import('./flags/help.ts');
    await io.out(verbHelp(verb));
    return 0;
  }
  const session =
    isHidden(found.name) || verb.bearsWrongSettings === true
      ? await openQuietSession(flags, io)
      : await openSession(flags, io, found.name);
  return await verb.run({ verb: found.name, args, rest, flags }, session);
}

function parse(words: readonly string[], table: FlagTable, verb: string | undefined): ParsedFlags {
  try {
    return parseFlags(words, table);
  } catch (error) {
    throw withUsage(verb, error);
  }
}

async function openSession(flags: Flags, io: Io, verb: string | undefined): Promise<Session> {
  const { settings, warnings, paths } = await readSettings(flags, io).catch((error: unknown) => {
    throw withUsage(verb, error);
  });
  const session = createSession({ io, settings, paths });
  for (const warning of warnings) session.warn(warning);
  return session;
}

/** What programs call, and no help shows: completion. */
function isHidden(verb: string): boolean {
  return verb.startsWith('_');
}

/** Nobody reads what a verb says that programs call, and a file with mistakes must not keep it from its work. */
async function openQuietSession(flags: Flags, io: Io): Promise<Session> {
  const { lenientSettings } = await import('./settings/lenient-settings.ts');
  const { settings, paths } = await lenientSettings(flags, io);
  return createSession({ io, settings, paths });
}

async function loadVerb(verbs: Verbs, name: string): Promise<Verb> {
  const load = verbs[name];
  if (load === undefined) throw new Error(`No verb is called ${name}`);
  return await load();
}

/** `kubectl mc` alone or with `--refresh`, help in its forms, and what nobody can run. */
async function withoutVerb(
  argv: readonly string[],
  { typed, parent }: UnknownVerb,
  { io, verbs, globals }: { io: Io; verbs: Verbs; globals: FlagTable },
): Promise<number> {
  const isHelp = parent === undefined && (typed === 'help' || typed === 'options');
  if (typed !== undefined && !isHelp) throw unknownVerb(typed, parent, verbs);
  const { args, flags } = parse(argv, globals, parent);
  if (args.length === 0 && flags.bool('refresh') && !flags.bool('help')) {
    return await refresh(await openSession(flags, io, parent));
  }
  const words = typed === 'help' ? args.slice(1) : args;
  const { helpText } = await import('./verbs/help-text.ts');
  const text = await helpText(words, verbs);
  if (text === undefined) throw unknownVerb(words.join(' '), undefined, verbs);
  await io.out(text);
  return 0;
}

async function refresh(session: Session): Promise<number> {
  const { length } = await session.inventory();
  await session.io.out(`Found ${length} ${length === 1 ? 'cluster' : 'clusters'}\n`);
  return 0;
}

function unknownVerb(typed: string, parent: string | undefined, verbs: Verbs): UsageError {
  const names = Object.keys(verbs).filter((name) => !isHidden(name));
  const known =
    parent === undefined
      ? names.map((name) => name.split(' ')[0] ?? '')
      : names.flatMap((name) =>
          name.startsWith(`${parent} `) ? [name.slice(parent.length + 1)] : [],
        );
  const command = parent === undefined ? 'kubectl mc' : `kubectl mc ${parent}`;
  const near = suggestion(nearNames(typed, known));
  return new UsageError(`unknown command "${typed}" for "${command}"${near}`);
}

/** Adds where the flags are listed, as kubectl does. */
function withUsage(verb: string | undefined, error: unknown): unknown {
  if (!(error instanceof FlagError)) return error;
  const command = verb === undefined ? 'kubectl mc' : `kubectl mc ${verb}`;
  return new UsageError(`${error.message}\nSee '${command} --help' for usage.`);
}
