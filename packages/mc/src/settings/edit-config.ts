import { deepEqual, isJsonObject, parseYaml, toYaml, yamlLines } from '@flotilla/machinery';

/** Where a value is: section and key. */
export type ConfigPath = readonly [section: string, name: string];

const HEAD = 'apiVersion: kubectl-mc.k8s.io/v1alpha1\nkind: Config\n';

/**
 * The text of a config file with one value set. Comments, order and everything else stay: one line is changed or added.
 * Where that does not lead to the wanted document, as with values of several lines, the file is written anew and keeps
 * the comment it begins with. The text must be one that can be read.
 */
export function setInConfig(source: string, path: ConfigPath, value: unknown): string {
  const before = parseYaml(source).value ?? {};
  const wanted = withValue(isJsonObject(before) ? before : {}, path, value);
  if (source.trim() === '') return `${HEAD}${toYaml(withValue({}, path, value))}`;
  const edited = editLine(source, path, value);
  if (isDocument(edited, wanted)) return edited;
  const comment = /^(?:#[^\n]*\n|[ \t]*\n)*/.exec(source)?.[0] ?? '';
  return comment + toYaml(wanted);
}

function withValue(
  document: Record<string, unknown>,
  [section, name]: ConfigPath,
  value: unknown,
): Record<string, unknown> {
  const before = document[section];
  return { ...document, [section]: { ...(isJsonObject(before) ? before : {}), [name]: value } };
}

function editLine(source: string, [section, name]: ConfigPath, value: unknown): string {
  const document = parseYaml(source).value;
  const lines = source.split('\n');
  const lineOf = yamlLines(source);
  const inside = isJsonObject(document) ? document[section] : undefined;
  const entry = `${JSON.stringify(name).replace(/^"([\w-]+)"$/, '$1')}: ${inlineYaml(value)}`;
  if (isJsonObject(inside) && Object.hasOwn(inside, name)) {
    const index = lineOf([section, name]) - 1;
    const [indent = ''] = /^\s*/.exec(lines[index] ?? '') ?? [];
    const [comment = ''] = /\s+#.*$/.exec(lines[index] ?? '') ?? [];
    return lines.with(index, `${indent}${entry}${comment}`).join('\n');
  }
  if (isJsonObject(inside)) {
    const [first = ''] = Object.keys(inside);
    const index = lineOf([section, first]) - 1;
    const [indent = ''] = /^\s*/.exec(lines[index] ?? '') ?? [];
    return lines.toSpliced(index, 0, `${indent}${entry}`).join('\n');
  }
  return `${source.endsWith('\n') ? source : `${source}\n`}${section}:\n  ${entry}\n`;
}

function inlineYaml(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : toYaml(value).trimEnd();
}

function isDocument(source: string, wanted: unknown): boolean {
  try {
    const { value, strictError } = parseYaml(source);
    return strictError === undefined && deepEqual(value, wanted);
  } catch {
    return false;
  }
}
