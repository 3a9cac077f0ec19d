import type { CustomResourceDefinition } from '@flotilla/client';
import type { JsonSchemaProps } from '@flotilla/machinery/schema';

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchemaProps };
}

/**
 * Whether a CRD that is there can do more than the one we bring: it has versions or fields of which ours knows nothing,
 * and lacks none of ours. A process of an older release must not take them away while a newer one works with them.
 */
export function isNewer(found: CustomResourceDefinition, ours: CustomResourceDefinition): boolean {
  const has = fieldsOf(found);
  const wants = fieldsOf(ours);
  const lacksNone = [...wants].every((field) => has.has(field));
  return lacksNone && has.size > wants.size;
}

/** The names of the versions that a CRD serves. */
export function servedVersions(crd: CustomResourceDefinition): string[] {
  return versionsOf(crd)
    .filter(({ served }) => served)
    .map(({ name }) => name);
}

function fieldsOf(crd: CustomResourceDefinition): Set<string> {
  return new Set(
    versionsOf(crd).flatMap(({ name, schema }) => [
      name,
      ...pathsBelow(name, schema?.openAPIV3Schema ?? {}),
    ]),
  );
}

/** Every field below a schema, as paths. */
function pathsBelow(path: string, props: JsonSchemaProps): string[] {
  const { properties = {}, items, additionalProperties } = props;
  return [
    ...Object.entries(properties).flatMap(([name, child]) => {
      const place = `${path}.${name}`;
      return [place, ...pathsBelow(place, child)];
    }),
    ...(isSchema(items) ? pathsBelow(`${path}[]`, items) : []),
    ...(isSchema(additionalProperties) ? pathsBelow(`${path}{}`, additionalProperties) : []),
  ];
}

function isSchema(part: unknown): part is JsonSchemaProps {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

function versionsOf(crd: CustomResourceDefinition): readonly Version[] {
  return (crd.spec?.versions ?? []) as readonly Version[];
}
