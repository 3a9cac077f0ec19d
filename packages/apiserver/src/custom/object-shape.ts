import { formatFieldError, type Json, type KubeObject } from '@flotilla/machinery';
import { type CompiledSchema, compileSchema } from '@flotilla/machinery/schema';
import { GoDecodeError } from '../codec/pass.ts';
import type { CrdVersion, CustomResourceDefinition } from './crd.ts';
import { customForm } from './custom-form.ts';
import { readMetadata, rescueMetadata } from './metadata-reader.ts';

/** What one version of a custom kind makes of objects: which fields stay, and which are filled in. */
export interface ObjectShape {
  /** Undefined where the version says nothing about its objects. */
  readonly schema: () => CompiledSchema | undefined;
  /**
   * An object somebody sent, pruned and with defaults; `unknown` names what was dropped. Throws ParseError where it
   * cannot be read.
   */
  readonly read: (
    object: Json,
    options?: { readonly keepNulls?: boolean },
  ) => {
    readonly object: KubeObject;
    readonly unknown: readonly string[];
  };
  /** An object from the store, as `read` would leave it; what cannot be read of it is dropped. */
  readonly refresh: (object: Json) => KubeObject;
  /** A checked object that is about to be stored, as its readers will find it; changed in place. */
  readonly settle: (object: Json) => KubeObject;
  /** An object that was converted: pruned, but without further defaults. */
  readonly coerce: (object: Json) => KubeObject;
  readonly defaults: (object: Json) => void;
}

/** Schemas are compiled when the first object comes by: most CRDs of a cluster are never used. */
export function objectShape(
  { spec }: Pick<CustomResourceDefinition, 'spec'>,
  version: CrdVersion,
): ObjectShape {
  const source = version.schema?.openAPIV3Schema;
  const preserveUnknownFields = spec.preserveUnknownFields === true;
  let compiled: CompiledSchema | undefined;
  const schema = (): CompiledSchema | undefined => {
    if (source !== undefined) compiled ??= compileSchema(source);
    return compiled;
  };
  const defaults = (object: Json): void => {
    if (!preserveUnknownFields) schema()?.defaults(object);
  };
  const prune = (object: Json): void => {
    schema()?.prune(object, { readMetadata, preserveUnknownFields, dropInvalidMetadata: true });
  };
  return {
    schema,
    defaults,
    read: (object, options) => {
      const unknown: string[] = [];
      if (Object.hasOwn(object, 'metadata')) {
        const read = readMetadata(object['metadata']);
        if ('problem' in read) throw new GoDecodeError(read.problem);
        object['metadata'] = read.metadata;
        unknown.push(...read.unknown.map((name) => `metadata.${name}`));
      } else {
        object['metadata'] = {};
      }
      const pruned = schema()?.prune(object, { ...options, readMetadata, preserveUnknownFields });
      if (pruned?.problem !== undefined) throw new GoDecodeError(formatFieldError(pruned.problem));
      unknown.push(...(pruned?.unknown ?? []));
      defaults(object);
      return { object: customForm(object as KubeObject), unknown };
    },
    refresh: (object) => {
      const metadata = rescueMetadata(object['metadata']);
      // Objects from before generations were counted.
      metadata['generation'] ??= 1;
      object['metadata'] = metadata;
      prune(object);
      defaults(object);
      return customForm(object as KubeObject);
    },
    settle: (object) => {
      prune(object);
      defaults(object);
      return customForm(object as KubeObject);
    },
    coerce: (object) => {
      prune(object);
      return customForm(object as KubeObject);
    },
  };
}
