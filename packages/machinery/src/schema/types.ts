import type { FieldError } from '../field-error.ts';
import type { Json } from '../object.ts';

/** One CEL rule of a schema (`x-kubernetes-validations`). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A schema as CustomResourceDefinitions carry it (apiextensions.k8s.io/v1 JSONSchemaProps). */
export interface JsonSchemaProps {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number | bigint;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number | bigint;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number | bigint;
  readonly minLength?: number | bigint;
  readonly pattern?: string;
  readonly maxItems?: number | bigint;
  readonly minItems?: number | bigint;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number | bigint;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number | bigint;
  readonly minProperties?: number | bigint;
  readonly required?: readonly string[];
  readonly items?: JsonSchemaProps | readonly JsonSchemaProps[];
  readonly allOf?: readonly JsonSchemaProps[];
  readonly oneOf?: readonly JsonSchemaProps[];
  readonly anyOf?: readonly JsonSchemaProps[];
  readonly not?: JsonSchemaProps;
  readonly properties?: Readonly<Record<string, JsonSchemaProps>>;
  readonly additionalProperties?: JsonSchemaProps | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchemaProps>>;
  readonly dependencies?: Readonly<Record<string, JsonSchemaProps | readonly string[]>>;
  readonly additionalItems?: JsonSchemaProps | boolean;
  readonly definitions?: Readonly<Record<string, JsonSchemaProps>>;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** Metadata read as Go reads it into an ObjectMeta, or Go's words for why it could not be. */
export type ReadMetadata =
  | { readonly metadata: Json; readonly unknown: readonly string[] }
  | { readonly problem: string };

/**
 * Reads the metadata of an embedded object: drops what ObjectMeta does not know (naming it below `metadata`, such as
 * `labelz`), and refuses what does not fit. The server gives its own reader, which knows Go's types.
 */
export type MetadataReader = (metadata: unknown) => ReadMetadata;

/** The paths of /scale, as the CRD's subresources name them. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** What else than the schema takes part in validation. */
export interface ValidateOptions {
  /** The CRD version's scale subresource, whose fields are checked after the schema. */
  readonly scale?: ScalePaths;
  /** Errors found before, such as those of metadata: some kinds of them keep CEL rules from running. */
  readonly found?: readonly FieldError[];
  /** Told of rules that fail on what an update does not touch: upstream warns of them and goes on. */
  readonly warn?: (text: string) => void;
}

/** What reading an object by its schema found. */
export interface Pruned {
  /** Paths of dropped fields, sorted: `spec.foo`, `spec.list[0].bar`. */
  readonly unknown: readonly string[];
  /** Why the object cannot be read (metadata of an embedded object that does not fit). */
  readonly problem?: FieldError;
}

/**
 * A structural schema ready for use. All functions may be called concurrently and hold no state of their caller.
 *
 * The order upstream uses, for everything decoded: `prune`, then `defaults`; on create and update `validate…` after
 * ObjectMeta's own validation, which is the caller's.
 */
export interface CompiledSchema {
  /** Why the schema is not structural; paths are relative to the schema (`properties[spec].type`). */
  readonly problems: readonly FieldError[];
  /** The schema itself, as it was given. */
  readonly source: JsonSchemaProps;
  /** True when any rule of the schema is written in CEL. */
  readonly hasRules: boolean;
  /**
   * Removes what the schema does not know (never apiVersion, kind and metadata of the object itself) and nulls that
   * are neither allowed nor defaulted; reads the metadata of embedded resources. Changes `object` in place.
   */
  readonly prune: (object: Json, options?: PruneOptions) => Pruned;
  /** Fills in defaults, in place. */
  readonly defaults: (object: Json) => void;
  /** The errors of a new object, beyond ObjectMeta's. */
  readonly validate: (object: Json, options?: ValidateOptions) => FieldError[];
  /** The errors of a changed object; what did not change is not held against it (ratcheting). */
  readonly validateUpdate: (object: Json, old: Json, options?: ValidateOptions) => FieldError[];
  /** The errors of a write to /status: only `status` is validated, CEL rules see the whole object. */
  readonly validateStatusUpdate: (
    object: Json,
    old: Json,
    options?: ValidateOptions,
  ) => FieldError[];
}

/** How to read an object. */
export interface PruneOptions {
  /** Reader of embedded metadata; without one embedded metadata is left as it is. */
  readonly readMetadata?: MetadataReader;
  /** True for objects from the store: embedded metadata that does not fit is dropped, not refused. */
  readonly dropInvalidMetadata?: boolean;
  /** True for CRDs with spec.preserveUnknownFields (only old ones): nothing is pruned. */
  readonly preserveUnknownFields?: boolean;
  /** True leaves nulls where they are, for validation to refuse. @default false */
  readonly keepNulls?: boolean;
}
