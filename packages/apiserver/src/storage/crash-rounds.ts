import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { CRASH_TENANTS, CRASH_WINDOW } from './crash-writer.ts';
import { openLmdbStore } from './lmdb.ts';
import type { Change, Store, Tenant } from './store.ts';

/** What to kill, how often, and where the data is. */
export interface CrashOptions {
  readonly dir: string;
  readonly rounds: number;
  readonly now: () => number;
  readonly random: () => number;
  /**
   * Starts runCrashWriter on the directory. It appends its reports to `reports` (what is in a file
   * outlives the process, while a pipe may be full) and prints something once it has begun.
   */
  readonly command: readonly [string, ...string[]];
  readonly reports: string;
  /** Told after every round. */
  readonly progress?: (round: CrashRound) => void;
}

/** What one round saw. */
export interface CrashRound {
  readonly round: number;
  /** Writes the killed process had acknowledged. */
  readonly acknowledged: number;
  /** Writes found after the restart, acknowledged or not. */
  readonly durable: number;
}

/**
 * Kills a writing process without warning, again and again, and opens what it left: no acknowledged
 * write may be missing, nor a revision skipped or used twice, and a watch must resume from any
 * acknowledged revision. Rejects with the first thing that is wrong.
 */
export async function crashRounds(options: CrashOptions): Promise<CrashRound[]> {
  const known = new Map<Tenant, History>(
    CRASH_TENANTS.map((tenant) => [tenant, { revision: 0, objects: new Map() }]),
  );
  const rounds: CrashRound[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const reports = await writeAndKill(options);
    await using store = await openLmdbStore({ ...options, window: CRASH_WINDOW });
    let durable = 0;
    for (const [tenant, history] of known) {
      const before = history.revision;
      await checkTenant({ store, tenant, history, reports, random: options.random });
      durable += history.revision - before;
    }
    const acknowledged = reports.filter(({ kind }) => kind === 'write').length;
    const seen = { round, acknowledged, durable };
    rounds.push(seen);
    options.progress?.(seen);
  }
  return rounds;
}

interface Report {
  readonly kind: string;
  readonly tenant: Tenant;
  readonly revision: number;
  readonly key: string | undefined;
  readonly outcome: string | undefined;
}

interface History {
  revision: number;
  readonly objects: Map<string, string>;
}

/** Lets the writer acknowledge some writes, then kills it. */
async function writeAndKill({ command, reports, random }: CrashOptions): Promise<Report[]> {
  writeFileSync(reports, '');
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  const lifeMs = 20 + Math.floor(random() * 380);
  await Promise.race([new Promise((resolve) => setTimeout(resolve, lifeMs)), closed]);
  if (child.exitCode !== null) throw new Error(`The writer ended by itself: ${child.exitCode}`);
  child.kill('SIGKILL');
  await closed;
  // The last line may be torn.
  return readFileSync(reports, 'utf8').split('\n').slice(0, -1).map(parseReport);
}

function parseReport(line: string): Report {
  const [kind = '', tenant = '', revision = '', key, outcome] = line.split(' ');
  return { kind, tenant, revision: Number(revision), key, outcome };
}

interface TenantCheck {
  readonly store: Store;
  readonly tenant: Tenant;
  readonly history: History;
  readonly reports: readonly Report[];
  readonly random: () => number;
}

async function checkTenant(check: TenantCheck): Promise<void> {
  const { store, tenant, history, reports, random } = check;
  const before = history.revision;
  const changes = await changesAfter(store, tenant, before);
  applyChanges(history, changes);
  checkReports(changes, before, { ...check, reports: reports.filter((r) => r.tenant === tenant) });
  checkObjects(store, tenant, history);
  const resumed = before + Math.floor(random() * (history.revision - before + 1));
  const rest = await changesAfter(store, tenant, resumed);
  const same = rest.map(({ revision }) => revision).join() === range(resumed, history.revision);
  if (!same) throw new Error(`A watch of "${tenant}" does not resume after ${resumed}`);
}

/** Everything a watch from there is told; throws on a gap or a duplicate. */
async function changesAfter(store: Store, tenant: Tenant, after: number): Promise<Change[]> {
  const newest = store.revision(tenant);
  if (newest < after) throw new Error(`"${tenant}" went back from ${after} to ${newest}`);
  const changes: Change[] = [];
  await new Promise<void>((resolve, reject) => {
    if (newest === after) return resolve();
    const watch = store.watch(tenant, { prefix: '', after, ended: reject }, (batch) => {
      changes.push(...batch);
      if ((batch.at(-1)?.revision ?? 0) < newest) return;
      watch[Symbol.dispose]();
      resolve();
    });
  });
  const revisions = changes.map(({ revision }) => revision).join();
  if (revisions !== range(after, newest)) throw new Error(`"${tenant}" has a gap after ${after}`);
  return changes;
}

function applyChanges(history: History, changes: readonly Change[]): void {
  for (const { key, value, previous, revision } of changes) {
    if (previous?.toString() !== history.objects.get(key)) {
      throw new Error(`The change ${revision} of "${key}" has another value before it`);
    }
    if (value) {
      const text = value.toString();
      if (!text.startsWith(`${key}@${revision}:`)) throw new Error(`"${key}" has a wrong value`);
      history.objects.set(key, text);
    } else history.objects.delete(key);
    history.revision = revision;
  }
}

function checkReports(changes: readonly Change[], before: number, check: TenantCheck): void {
  for (const { kind, revision, key, outcome } of check.reports) {
    const change = changes[revision - before - 1];
    const where = `${kind} ${revision} of "${check.tenant}"`;
    if (!change) throw new Error(`The acknowledged ${where} is lost`);
    if (kind !== 'write') continue;
    const length = change.value?.toString().split(':')[1]?.length;
    const found = change.value ? String(length) : 'deleted';
    if (change.key !== key || found !== outcome) {
      throw new Error(`The acknowledged ${where} became ${change.key} ${found}`);
    }
  }
}

/** Reads every record, which checks every checksum. */
function checkObjects(store: Store, tenant: Tenant, history: History): void {
  using snapshot = store.snapshot(tenant);
  const entries = snapshot.range('', { limit: Number.POSITIVE_INFINITY });
  if (snapshot.revision !== history.revision) throw new Error('The snapshot has another revision');
  if (entries.length !== history.objects.size) throw new Error('Objects and history disagree');
  for (const { key, value } of entries) {
    if (history.objects.get(key) !== value.toString())
      throw new Error(`"${key}" is not as written`);
  }
}

function range(after: number, through: number): string {
  return Array.from({ length: through - after }, (_, i) => after + 1 + i).join();
}
