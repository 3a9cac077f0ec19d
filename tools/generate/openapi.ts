import { gzipSync } from 'node:zlib';
import { formatJson } from './format-json.ts';
import type { GeneratedFiles } from './generated-files.ts';
import type { Ask } from './real-server.ts';

/** OpenAPI v3 per path and v2 as a whole, gzip-compressed, and an index of the v3 files. */
export async function generateOpenApi(ask: Ask): Promise<GeneratedFiles> {
  const files: GeneratedFiles = new Map();
  const index: Record<string, string> = {};
  const { paths } = (await ask('/openapi/v3')) as { paths: Record<string, unknown> };
  for (const path of Object.keys(paths)) {
    const file = `v3/${path.replaceAll('/', '__')}.json.gz`;
    index[path] = file;
    files.set(`openapi/${file}`, compress(await ask(`/openapi/v3/${path}`)));
  }
  files.set('openapi/v2.json.gz', compress(await ask('/openapi/v2')));
  files.set('openapi/index.json', formatJson(index));
  return files;
}

function compress(document: unknown): Uint8Array {
  return gzipSync(JSON.stringify(withoutDescriptions(document)), { level: 9 });
}

/**
 * Drops upstream's texts. A text is a string under "description"; a property of that name is an
 * object. Responses keep theirs, which OpenAPI demands: it is the name of the status code.
 */
function withoutDescriptions(value: unknown, parent = '', grandparent = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDescriptions(item));
  if (typeof value !== 'object' || value === null) return value;
  const isResponse = grandparent === 'responses' && /^(\d{3}|default)$/.test(parent);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => {
        return isResponse || name !== 'description' || typeof member !== 'string';
      })
      .map(([name, member]) => [name, withoutDescriptions(member, name, parent)]),
  );
}
