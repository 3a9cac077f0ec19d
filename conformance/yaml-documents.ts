import { loadAll } from 'js-yaml';

/** The documents of a YAML text; none where it is no YAML. */
export function yamlDocuments(text: string): unknown[] {
  const documents: unknown[] = [];
  try {
    loadAll(text, (document) => documents.push(document));
  } catch {
    return [];
  }
  return documents;
}
