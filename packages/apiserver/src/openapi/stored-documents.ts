import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** An entry of `index.json`: where a document is, without the ending, and the SHA-512 of its JSON. */
export interface StoredDocument {
  readonly file: string;
  readonly hash: string;
}

/** A document that is written when it is read. */
export interface ServedDocument {
  readonly hash: string;
  readonly read: (form: StoredForm) => Buffer;
}

/** The OpenAPI documents that `npm run generate` wrote. */
export interface StoredDocuments {
  readonly v2: () => StoredDocument;
  /** By what follows `/openapi/v3/`, in upstream's order. */
  readonly v3: () => ReadonlyMap<string, StoredDocument>;
  readonly read: (document: StoredDocument, form: StoredForm) => Buffer;
}

/** Which of a document's two encodings, and whether the bytes stay compressed as they are stored. */
export interface StoredForm {
  readonly ending: 'json' | 'pb';
  readonly gzip: boolean;
}

interface Index {
  readonly v2: StoredDocument;
  readonly v3: Readonly<Record<string, StoredDocument>>;
}

/**
 * Opens the folder of documents. Only the index is kept, once it was needed: the documents are 5 MB,
 * and clients ask for them rarely and by hash.
 */
export function storedDocuments(folder: string): StoredDocuments {
  let v2: StoredDocument | undefined;
  let v3: ReadonlyMap<string, StoredDocument> | undefined;
  const load = (): Index => JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  return {
    v2: () => {
      v2 ??= load().v2;
      return v2;
    },
    v3: () => {
      v3 ??= new Map(Object.entries(load().v3));
      return v3;
    },
    read: ({ file }, { ending, gzip }) => {
      const bytes = readFileSync(join(folder, `${file}.${ending}.gz`));
      return gzip ? bytes : unzipped(bytes);
    },
  };
}

/** In one allocation: the last four bytes of a gzip file are the size of what is in it. */
function unzipped(bytes: Buffer): Buffer {
  return gunzipSync(bytes, { chunkSize: bytes.readUInt32LE(bytes.length - 4) });
}
