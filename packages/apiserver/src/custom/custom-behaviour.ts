import {
  deepCopy,
  goQuote,
  isQualifiedName,
  type Json,
  type KubeObject,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@flotilla/machinery';
import {
  type PrinterColumn,
  printerCells,
  readableColumns,
  selectableField,
} from '@flotilla/machinery/schema';
import type { KindBehaviour } from '../kinds/behaviour.ts';
import { sameJson } from '../objects/same-json.ts';
import type { Column } from '../resources/resource.ts';
import type { CrdVersion } from './crd.ts';
import type { ObjectShape } from './object-shape.ts';
import { scaleView } from './scale-view.ts';

/** What is particular about one version of a custom kind, in the words that built-in kinds use. */
export function customBehaviour(
  version: CrdVersion,
  shape: ObjectShape,
  { namespaced }: { namespaced: boolean },
): KindBehaviour {
  const hasStatus = version.subresources?.status !== undefined;
  const scale = version.subresources?.scale;
  const options = scale === undefined ? {} : { scale };
  const metaErrors = (object: KubeObject) =>
    validateObjectMeta(object.metadata, { namespaced, nameRule: 'subdomain', path: 'metadata' });
  let cells: ReturnType<typeof printerCells> | undefined;
  return {
    defaults: shape.defaults,
    // Said below, because an empty status is not the same as none.
    keepsStatusOnCreate: true,
    prepareForCreate: (object) => {
      if (hasStatus) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate: (object, old) => {
      if (sameJson(withoutMetadata(object), withoutMetadata(old))) return;
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    prepareForStatusUpdate: (object, old) => {
      const { managedFields } = object.metadata;
      object.metadata = deepCopy(old.metadata);
      if (managedFields === undefined) delete object.metadata.managedFields;
      else object.metadata.managedFields = managedFields;
    },
    validate: (object) =>
      shape.schema()?.validate(object, { ...options, found: metaErrors(object) }) ?? [],
    // Upstream checks changes against the old object only.
    validateOnUpdate: false,
    validateUpdate: (object, old) =>
      shape
        .schema()
        ?.validateUpdate(object, old, { ...options, found: changeErrors(object, old) }) ?? [],
    validateStatusUpdate: (object, old) =>
      shape
        .schema()
        ?.validateStatusUpdate(object, old, { ...options, found: changeErrors(object, old) }) ?? [],
    warnings: (object, old) => [
      ...ruleWarnings(shape, object, old),
      ...finalizerWarnings(object, old),
    ],
    unconditionalUpdate: false,
    selectableFields: Object.fromEntries(
      (version.selectableFields ?? []).map(({ jsonPath }) => {
        const { name, read } = selectableField(jsonPath);
        return [name, read as (object: KubeObject) => string];
      }),
    ),
    cells: (object, { now }) => {
      cells ??= printerCells(columnsOf(version));
      return [object.metadata.name ?? '', ...cells(object, now)];
    },
    ...(scale === undefined ? {} : { scale: scaleView(scale) }),
  };
}

/** Rules that fail on what an update does not touch are only remarked upon. */
function ruleWarnings(
  shape: ObjectShape,
  object: KubeObject,
  old: KubeObject | undefined,
): string[] {
  const schema = shape.schema();
  const warnings: string[] = [];
  if (old === undefined || schema?.hasRules !== true) return warnings;
  schema.validateUpdate(object, old, { warn: (text) => warnings.push(text) });
  return warnings;
}

function changeErrors(object: KubeObject, old: KubeObject) {
  return validateObjectMetaUpdate(object.metadata, old.metadata, 'metadata');
}

function withoutMetadata(object: KubeObject): Json {
  const { metadata: _metadata, ...rest } = object;
  return rest;
}

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
};

/** The columns beside the name; a version that asks for none gets the age. */
function columnsOf(version: CrdVersion): readonly PrinterColumn[] {
  const own = version.additionalPrinterColumns ?? [];
  return own.length > 0 ? own : [AGE];
}

/** The columns as tables describe them: those that rows have cells for. */
export function tableColumns(version: CrdVersion): Column[] {
  return [
    { name: 'Name', type: 'string', format: 'name', priority: 0 },
    ...readableColumns(columnsOf(version)).map(({ name, type, format, priority }) => ({
      name,
      type,
      format: format ?? '',
      priority: priority ?? 0,
    })),
  ];
}

const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Custom kinds may have finalizers of any name; odd ones are only remarked upon. */
function finalizerWarnings(object: KubeObject, old: KubeObject | undefined): string[] {
  const known = new Set(old?.metadata.finalizers ?? []);
  const added = new Set((object.metadata.finalizers ?? []).filter((name) => !known.has(name)));
  return [...added].sort().flatMap((name) => {
    const quoted = `metadata.finalizers: ${goQuote(name)}`;
    const warnings = isQualifiedName(name).map((message) => `${quoted}: ${message}`);
    if (!name.includes('/') && !STANDARD_FINALIZERS.has(name)) {
      const how = name.includes('.') ? ' including a path (/)' : '';
      warnings.push(
        `${quoted}: prefer a domain-qualified finalizer name${how} to avoid accidental conflicts with other finalizer writers`,
      );
    }
    return warnings;
  });
}
