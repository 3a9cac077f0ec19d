// Regenerates what is generated; `npm run generate -- kinds` only what comes from our own kinds and command
// lines, which needs no real Kubernetes. `--check` only compares.
import { join } from 'node:path';
import { readBootstrapObjects, readPolicy } from './generate/bootstrap-objects.ts';
import { readColumns } from './generate/columns.ts';
import { formatJson } from './generate/format-json.ts';
import { differences, type GeneratedFiles, writeAll } from './generate/generated-files.ts';
import { generateInternalTypes } from './generate/internal-types.ts';
import { generateCrds, generatePages } from './generate/kinds.ts';
import { generateOpenApi } from './generate/openapi.ts';
import { withRealServer } from './generate/real-server.ts';
import { formatResources, readResources } from './generate/resources.ts';
import { generateTypeTables } from './generate/type-tables.ts';

async function generateTables(): Promise<GeneratedFiles> {
  const files = new Map([...generateTypeTables(), ...generateInternalTypes()]);
  const resources = await withRealServer({}, async (ask) => {
    const rows = await readResources(ask);
    files.set('resources.json', formatResources(rows));
    files.set('columns.json', formatJson(await readColumns(ask, rows)));
    files.set('bootstrap-objects.json', formatJson(await readBootstrapObjects(ask, rows)));
    for (const [path, content] of await generateOpenApi(ask)) files.set(path, content);
    return rows;
  });
  // A second server: the controller manager's service accounts are no part of the first.
  const controllers = ['clusterrole-aggregation-controller'];
  const policy = await withRealServer({ controllers }, (ask) => readPolicy(ask, resources));
  return files.set('rbac-policy.json', formatJson(policy));
}

/** Folders that hold nothing but generated files. */
const targets: readonly { part: string; folder: string; make: () => Promise<GeneratedFiles> }[] = [
  { part: 'kinds', folder: 'packages/api/crds', make: async () => generateCrds() },
  { part: 'kinds', folder: 'docs/reference', make: generatePages },
  { part: 'tables', folder: 'packages/apiserver/data', make: generateTables },
];

const isCheck = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((arg) => arg !== '--check');
const known = new Set(targets.map(({ part }) => part));
const stranger = wanted.find((part) => !known.has(part));
if (stranger !== undefined) {
  throw new Error(`Cannot generate "${stranger}": there are ${[...known].join(', ')}`);
}

for (const { part, folder, make } of targets) {
  if (wanted.length > 0 && !wanted.includes(part)) continue;
  const place = join(FLOTILLA_ROOT, folder);
  const files = await make();
  if (!isCheck) {
    writeAll(place, files);
    console.log(`Wrote ${files.size} files to ${folder}`);
    continue;
  }
  const found = differences(place, files);
  for (const line of found) console.error(`${folder}/${line}`);
  if (found.length > 0) {
    console.error(`Cannot accept ${folder}: run "npm run generate -- ${part}" and commit it`);
    process.exitCode = 1;
  }
}
