import { join } from 'node:path';
import { moduleFolder } from '../real-kubernetes/go.ts';
import type { GeneratedFiles } from './generated-files.ts';
import { type GoField, type GoType, type GoTypes, readGoTypes } from './go-types.ts';
import { type MergeRule, readMergeRules } from './list-types.ts';

/** Finds the merge rule of `pkg.Type` or `pkg.Type.field`. */
type RuleOf = (key: string) => MergeRule | undefined;

/** The tables of types (`types/*.json`) and the kinds that use them (`kinds.json`). */
export function generateTypeTables(): GeneratedFiles {
  const { kinds, packages } = readGoTypes();
  const rules = readMergeRules(join(moduleFolder('k8s.io/kubernetes'), 'api/openapi-spec/v3'));
  const ruleOf = throughInlining(packages, rules);
  const files: GeneratedFiles = new Map();
  files.set(
    'kinds.json',
    `[\n${kinds.map((kind) => `  ${JSON.stringify(kind)}`).join(',\n')}\n]\n`,
  );
  for (const [name, types] of Object.entries(packages)) {
    files.set(`types/${name.replace('/', '.')}.json`, packageTable(name, types, ruleOf));
  }
  return files;
}

/**
 * OpenAPI flattens inlined structs into the types that inline them and has no model of their own,
 * so their fields' rules are found at any of those types.
 */
function throughInlining(
  packages: GoTypes['packages'],
  rules: ReadonlyMap<string, MergeRule>,
): RuleOf {
  const inliners = new Map<string, string>();
  for (const [packageName, types] of Object.entries(packages)) {
    for (const [name, type] of Object.entries(types)) {
      for (const field of type.fields ?? []) {
        if (field.name === '') inliners.set(field.type, `${packageName}.${name}`);
      }
    }
  }
  const ruleOf: RuleOf = (key) => {
    const own = rules.get(key);
    const [, type = '', field] = /^(.*\.[^.]+)\.([^.]+)$/.exec(key) ?? [];
    const inliner = inliners.get(type);
    if (own !== undefined || inliner === undefined) return own;
    return ruleOf(`${inliner}.${field}`);
  };
  return ruleOf;
}

function packageTable(
  packageName: string,
  types: Readonly<Record<string, GoType>>,
  ruleOf: RuleOf,
): string {
  const names = Object.keys(types).sort();
  const entries = names.map((name) => {
    const type = types[name] ?? {};
    return `    ${JSON.stringify(name)}: ${typeEntry(`${packageName}.${name}`, type, ruleOf)}`;
  });
  return [
    '{',
    `  "package": ${JSON.stringify(packageName)},`,
    '  "types": {',
    entries.join(',\n'),
    '  }',
    '}',
    '',
  ].join('\n');
}

function typeEntry(name: string, type: GoType, ruleOf: RuleOf): string {
  if (type.fields === undefined) return JSON.stringify({ kind: type.kind, of: type.of });
  const mapType = ruleOf(name)?.mapType;
  const own = mapType === undefined ? '' : `"mt": ${JSON.stringify(mapType)}, `;
  const rows = type.fields.map(
    (field) => `      ${JSON.stringify(fieldRow(field, ruleOf(`${name}.${field.name}`)))}`,
  );
  return rows.length === 0
    ? `{ ${own}"fields": [] }`
    : `{ ${own}"fields": [\n${rows.join(',\n')}\n    ] }`;
}

function fieldRow(field: GoField, rule: MergeRule | undefined): unknown[] {
  const extras = {
    ...(field.mergeKey === undefined ? {} : { mk: field.mergeKey }),
    ...(field.patchStrategy === undefined ? {} : { ps: field.patchStrategy }),
    ...(rule?.listType === undefined ? {} : { lt: rule.listType }),
    ...(rule?.listKeys === undefined ? {} : { lk: rule.listKeys }),
    ...(rule?.mapType === undefined ? {} : { mt: rule.mapType }),
    ...(field.goType === undefined ? {} : { go: field.goType }),
  };
  const row = [field.name, field.type, field.number, field.omit];
  return Object.keys(extras).length === 0 ? row : [...row, extras];
}
