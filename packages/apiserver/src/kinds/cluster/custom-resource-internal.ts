import { deepEqual } from '@flotilla/machinery';
import { internalSchema } from '@flotilla/machinery/schema';
import type { CrdVersion, CustomResourceDefinition } from '../../custom/crd.ts';

/**
 * The parts of a CRD as upstream validates it: what all versions say alike is said once, above them. Paths of errors
 * follow this form, which users never write.
 */
export interface InternalSpec {
  readonly validation: CrdVersion['schema'];
  readonly subresources: CrdVersion['subresources'];
  readonly columns: CrdVersion['additionalPrinterColumns'];
  readonly selectableFields: CrdVersion['selectableFields'];
  readonly versions: readonly CrdVersion[];
  /** False when the list itself was not written, which errors show as null. */
  readonly hasVersions: boolean;
}

const shared = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** The versions of a CRD; one without is refused, but has to be read first. */
export function versionsOf({ spec }: CustomResourceDefinition): readonly CrdVersion[] {
  return (spec.versions as readonly CrdVersion[] | null) ?? [];
}

/** Moves what all versions share to the top. */
export function internalSpec(crd: CustomResourceDefinition): InternalSpec {
  const versions = versionsOf(crd);
  const [first] = versions;
  const alike = shared.filter((field) =>
    versions.every((version) => deepEqual(version[field], first?.[field])),
  );
  const common: Partial<CrdVersion> = Object.fromEntries(
    alike.map((field) => [field, first?.[field]]),
  );
  return {
    validation: common.schema,
    subresources: common.subresources,
    columns: common.additionalPrinterColumns,
    selectableFields: common.selectableFields,
    hasVersions: (crd.spec.versions as unknown) !== null,
    versions: versions.map((version) => ({
      ...version,
      ...Object.fromEntries(alike.map((field) => [field, undefined])),
    })),
  };
}

/** The versions as errors show them: Go's names, everything written. */
export function shownVersions(versions: readonly CrdVersion[]): unknown {
  return versions.map((version) => {
    const { schema, subresources } = version;
    return {
      Name: version.name,
      Served: version.served,
      Storage: version.storage,
      Deprecated: version.deprecated ?? false,
      DeprecationWarning: version.deprecationWarning ?? null,
      Schema:
        schema === undefined
          ? null
          : {
              OpenAPIV3Schema:
                schema.openAPIV3Schema === undefined
                  ? null
                  : internalSchema(schema.openAPIV3Schema),
            },
      Subresources:
        subresources === undefined
          ? null
          : {
              Status: subresources.status === undefined ? null : {},
              Scale: shownScale(subresources.scale),
            },
      AdditionalPrinterColumns:
        version.additionalPrinterColumns?.map((column) => ({
          Name: column.name,
          Type: column.type,
          Format: column.format ?? '',
          Description: column.description ?? '',
          Priority: column.priority ?? 0,
          JSONPath: column.jsonPath,
        })) ?? null,
      SelectableFields:
        version.selectableFields?.map(({ jsonPath }) => ({ JSONPath: jsonPath })) ?? null,
    };
  });
}

function shownScale(scale: NonNullable<CrdVersion['subresources']>['scale']): unknown {
  if (scale === undefined) return null;
  return {
    SpecReplicasPath: scale.specReplicasPath,
    StatusReplicasPath: scale.statusReplicasPath,
    LabelSelectorPath: scale.labelSelectorPath ?? null,
  };
}
