import { runGo } from '../real-kubernetes/go.ts';
import { formatJson } from './format-json.ts';
import type { GeneratedFiles } from './generated-files.ts';

/** The fields of the internal types that messages show (`internal-types.json`), in the types' own order. */
export function generateInternalTypes(): GeneratedFiles {
  const texts: unknown = JSON.parse(runGo(['run', './internal-types']));
  return new Map([['internal-types.json', formatJson(texts)]]);
}
