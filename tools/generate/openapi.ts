import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { formatJson } from './format-json.ts';
import type { GeneratedFiles } from './generated-files.ts';
import { openApiProtobuf } from './go-openapi.ts';
import type { Ask } from './real-server.ts';

/** Where a document is stored, without the ending, and the SHA-512 of its JSON. */
interface IndexEntry {
  readonly file: string;
  readonly hash: string;
}

/**
 * OpenAPI v2 as a whole and v3 per path, each as JSON and as protobuf, gzip-compressed, and an index
 * of them: hashing 3 MB is no work for a server that starts.
 */
export async function generateOpenApi(ask: Ask): Promise<GeneratedFiles> {
  const documents: Record<string, unknown> = {};
  const read = async (path: string, file: string): Promise<IndexEntry> => {
    const document = withoutDescriptions(await ask(path));
    documents[file] = document;
    return { file, hash: hashOf(JSON.stringify(document)) };
  };
  const v2 = await read('/openapi/v2', 'v2');
  const v3: Record<string, IndexEntry> = {};
  const { paths } = (await ask('/openapi/v3')) as { paths: Record<string, unknown> };
  for (const path of Object.keys(paths)) {
    v3[path] = await read(`/openapi/v3/${path}`, `v3/${path.replaceAll('/', '__')}`);
  }
  const files: GeneratedFiles = new Map([['openapi/index.json', formatJson({ v2, v3 })]]);
  for (const [file, document] of Object.entries(documents)) {
    files.set(`openapi/${file}.json.gz`, compress(JSON.stringify(document)));
  }
  for (const [file, bytes] of openApiProtobuf(documents)) {
    files.set(`openapi/${file}.pb.gz`, compress(bytes));
  }
  return files;
}

function compress(content: string | Uint8Array): Uint8Array {
  return gzipSync(content, { level: 9 });
}

/** In the form of upstream's ETags. */
function hashOf(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
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
