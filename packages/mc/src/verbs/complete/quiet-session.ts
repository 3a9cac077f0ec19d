import { createSession } from '../../create-session.ts';
import type { Flags } from '../../flags/flag.ts';
import { MAX_STALE_MS } from '../../inventory/inventory-cache.ts';
import type { Io } from '../../io.ts';
import type { Session } from '../../session.ts';
import { lenientSettings } from '../../settings/lenient-settings.ts';

/** For everything together: whoever presses a key waits for it. */
const BUDGET_MS = 1_500;
/** They are only asked for names. */
const AT_ONCE = 50;

/** The time for completion has been used up. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/**
 * A session that says nothing, asks nobody, and ends all that it waits for when the budget is spent. What the hub said
 * counts for as long as it would if the hub were down.
 */
export async function quietSession(flags: Flags, io: Io): Promise<Session & Disposable> {
  const { settings, paths } = await lenientSettings(flags, io);
  const budget = new AbortController();
  const timer = io.clock.later(BUDGET_MS, () => budget.abort(new BudgetSpent()));
  const { env, homeFolder, cwd, clock, random } = io;
  const quiet: Io = {
    out: async () => {},
    err: () => {},
    ask: async () => undefined,
    get stdin() {
      return io.stdin;
    },
    env,
    homeFolder,
    cwd,
    clock,
    random,
    signal: AbortSignal.any([io.signal, budget.signal]),
    terminal: { in: false, out: false, err: false },
    columns: io.columns,
  };
  const session = createSession({
    io: quiet,
    paths,
    settings: {
      ...settings,
      discovery: {
        ...settings.discovery,
        cacheTtlMs: MAX_STALE_MS,
        refresh: false,
        noCache: false,
      },
      selection: { ...settings.selection, pick: false },
      execution: { ...settings.execution, maxConcurrency: AT_ONCE, retries: 0, failFast: false },
      verbosity: 0,
    },
  });
  return { ...session, [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
