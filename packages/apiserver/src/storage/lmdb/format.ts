import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CannotOpenStore, FILE_MODE } from './directory.ts';
import { decodeNumbers, encodeNumbers } from './records.ts';
import type { Tables } from './tables.ts';

/** The layout of records this program writes. */
export const FORMAT_VERSION = 2;

/** Rewrites the tables from one version to the next; runs inside one transaction. */
export type Migration = (tables: Tables) => void;

/** Migrations by the version they start from. */
export type Migrations = ReadonlyMap<number, Migration>;

/** Version 2 packs large values of the log; what version 1 wrote is read as it stands. */
export const MIGRATIONS: Migrations = new Map([[1, () => undefined]]);

const FORMAT_KEY = 'format';

/** Brings the tables to this program's version, or refuses; a copy is kept before anything changes. */
export async function ensureFormat(
  tables: Tables,
  options: { dir: string; now: () => number; migrations: Migrations },
): Promise<void> {
  const { dir, migrations } = options;
  const version = readVersion(tables);
  if (version === FORMAT_VERSION) return;
  if (version === undefined) {
    if (tables.objects.getKeysCount({ start: '\0' }) > 0) {
      throw new CannotOpenStore(dir, 'it has data but no format version');
    }
    tables.root.transactionSync(() => writeVersion(tables));
    return;
  }
  if (version > FORMAT_VERSION) {
    throw new CannotOpenStore(
      dir,
      `its format is version ${version}, this program knows ${FORMAT_VERSION}; use a newer program`,
    );
  }
  const steps = stepsFrom(version, migrations);
  if (!steps) throw new CannotOpenStore(dir, `format version ${version} cannot be migrated`);
  await backUp(tables, { dir, version, now: options.now() });
  tables.root.transactionSync(() => {
    for (const migrate of steps) migrate(tables);
    writeVersion(tables);
  });
}

function readVersion({ meta }: Tables): number | undefined {
  const record = meta.get(FORMAT_KEY);
  return record && decodeNumbers(FORMAT_KEY, record)[0];
}

/** Stamps the tables with a version, this program's unless told otherwise. */
export function writeVersion({ meta }: Tables, version = FORMAT_VERSION): void {
  meta.putSync(FORMAT_KEY, encodeNumbers(FORMAT_KEY, [version]));
}

function stepsFrom(version: number, migrations: Migrations): Migration[] | undefined {
  const steps: Migration[] = [];
  for (let from = version; from < FORMAT_VERSION; from++) {
    const step = migrations.get(from);
    if (!step) return undefined;
    steps.push(step);
  }
  return steps;
}

/** A copy beside the data, under its final name only once it is complete. */
async function backUp(
  tables: Tables,
  options: { dir: string; version: number; now: number },
): Promise<void> {
  const time = new Date(options.now).toISOString().replaceAll(':', '-');
  const backup = join(options.dir, `backup-v${options.version}-${time}`);
  const unfinished = `${backup}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  // lmdb names the copy itself: data.mdb.
  await tables.root.backup(unfinished, false);
  chmodSync(join(unfinished, 'data.mdb'), FILE_MODE);
  renameSync(unfinished, backup);
}
