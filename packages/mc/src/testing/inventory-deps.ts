import { createCredentialPool, createTransport, loadKubeconfig } from '@flotilla/client';
import { type Clock, systemClock } from '@flotilla/machinery';
import { flagTable } from '../flags/flag-table.ts';
import { globalFlags } from '../flags/global-flags.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import type { Io } from '../io.ts';
import type { ChooseDeps } from '../selection/choose-clusters.ts';
import { readMapping } from '../settings/mapping-file.ts';
import { readSettings } from '../settings/read-settings.ts';

/** What a test of the inventory may say. */
export interface InventoryWorld {
  readonly homeFolder: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly answers?: readonly string[];
}

/** What the inventory needs, with what it has said so far. */
export interface InventoryWitness extends ChooseDeps {
  readonly warnings: string[];
  /** Each with its level. */
  readonly notes: string[];
}

/** Makes what the inventory needs from global flags and a home folder, as a session would. */
export async function inventoryDeps(
  { homeFolder, clock = systemClock, signal, answers = [] }: InventoryWorld,
  argv: readonly string[] = [],
): Promise<InventoryWitness> {
  const warnings: string[] = [];
  const notes: string[] = [];
  const left = [...answers];
  const io = {
    env: {},
    homeFolder,
    cwd: homeFolder,
    clock,
    random: () => 0.5,
    signal: signal ?? new AbortController().signal,
    terminal: { in: true, out: true, err: true },
    err: () => {},
    ask: async () => await Promise.resolve(left.shift()),
  } as unknown as Io;
  const { settings, paths } = await readSettings(
    parseFlags(argv, flagTable(globalFlags)).flags,
    io,
  );
  const { connectTimeoutMs } = settings.execution;
  return {
    io,
    settings,
    paths,
    warnings,
    notes,
    warn: (text) => void warnings.push(text),
    note: (level, text) => void notes.push(`${level} ${text}`),
    credentials: { pool: createCredentialPool() },
    kubeconfig: () =>
      loadKubeconfig({ env: {}, home: homeFolder, path: settings.kubectl.kubeconfig }),
    mapping: () => readMapping(paths.mapping),
    connect: async (access) =>
      createTransport({
        access,
        clock: systemClock,
        random: () => 0.5,
        limits: { connectMs: connectTimeoutMs, retries: 0 },
      }),
  };
}
