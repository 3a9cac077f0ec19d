import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How server-side apply merges a field or a type, as OpenAPI extensions say. */
export interface MergeRule {
  readonly listType?: string;
  readonly listKeys?: readonly string[];
  readonly mapType?: string;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
}

const MODEL_PREFIXES = [
  'io.k8s.api.',
  'io.k8s.apimachinery.pkg.apis.',
  'io.k8s.apiextensions-apiserver.pkg.apis.',
  'io.k8s.kube-aggregator.pkg.apis.',
];

/** Merge rules by `pkg.Type` and by `pkg.Type.field`, from the OpenAPI v3 files of a release. */
export function readMergeRules(specFolder: string): Map<string, MergeRule> {
  const rules = new Map<string, MergeRule>();
  for (const file of readdirSync(specFolder)) {
    const document: { components?: { schemas?: Record<string, Schema> } } = JSON.parse(
      readFileSync(join(specFolder, file), 'utf8'),
    );
    for (const [model, schema] of Object.entries(document.components?.schemas ?? {})) {
      const type = typeName(model);
      if (type === undefined) continue;
      keep(rules, type, schema);
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        keep(rules, `${type}.${name}`, property);
      }
    }
  }
  return rules;
}

/** `core/v1.Pod` for `io.k8s.api.core.v1.Pod`; undefined for models without a Go API package. */
function typeName(model: string): string | undefined {
  const prefix = MODEL_PREFIXES.find((candidate) => model.startsWith(candidate));
  if (prefix === undefined) return undefined;
  const [group, version, name] = model.slice(prefix.length).split('.');
  return name === undefined ? undefined : `${group}/${version}.${name}`;
}

function keep(rules: Map<string, MergeRule>, key: string, schema: Schema): void {
  const listType = schema['x-kubernetes-list-type'];
  const listKeys = schema['x-kubernetes-list-map-keys'];
  const mapType = schema['x-kubernetes-map-type'];
  if (listType === undefined && mapType === undefined) return;
  rules.set(key, {
    ...(listType === undefined ? {} : { listType }),
    ...(listKeys === undefined ? {} : { listKeys }),
    ...(mapType === undefined ? {} : { mapType }),
  });
}
