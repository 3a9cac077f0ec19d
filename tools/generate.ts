// Regenerates packages/apiserver/data from real Kubernetes; `-- --check` only compares.
import { join } from 'node:path';
import { readBootstrapObjects, readPolicy } from './generate/bootstrap-objects.ts';
import { readColumns } from './generate/columns.ts';
import { formatJson } from './generate/format-json.ts';
import { differences, type GeneratedFiles, writeAll } from './generate/generated-files.ts';
import { generateInternalTypes } from './generate/internal-types.ts';
import { generateOpenApi } from './generate/openapi.ts';
import { withRealServer } from './generate/real-server.ts';
import { formatResources, readResources } from './generate/resources.ts';
import { generateTypeTables } from './generate/type-tables.ts';

async function generateAll(): Promise<GeneratedFiles> {
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

const folder = join(FLOTILLA_ROOT, 'packages/apiserver/data');
const files = await generateAll();
if (process.argv.includes('--check')) {
  const found = differences(folder, files);
  for (const line of found) console.error(line);
  if (found.length > 0) {
    console.error('Cannot accept packages/apiserver/data: run "npm run generate" and commit it');
    process.exitCode = 1;
  }
} else {
  writeAll(folder, files);
  console.log(`Wrote ${files.size} files to ${folder}`);
}
