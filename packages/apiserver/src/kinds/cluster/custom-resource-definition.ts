import { deepEqual, goQuote } from '@flotilla/machinery';
import { formatCheck, type JsonSchemaProps, partsOf } from '@flotilla/machinery/schema';
import type { CrdConversion, CrdNames, CustomResourceDefinition } from '../../custom/crd.ts';
import type { KindBehaviour } from '../behaviour.ts';
import { nameAndCreation } from '../core/cells.ts';
import { versionsOf } from './custom-resource-internal.ts';
import { validateCrd, validateCrdStatus, validateCrdUpdate } from './custom-resource-validation.ts';
import { defaultClientConfig, type WebhookClientConfig } from './webhook-client.ts';

/** A kind that users define. */
export const customResourceDefinition: KindBehaviour<CustomResourceDefinition> = {
  generation: 'spec',
  unconditionalUpdate: false,
  keepsStatusOnCreate: true,
  defaults: (crd) => {
    defaultNames(crd.spec.names);
    const spec: { conversion?: CrdConversion } = crd.spec;
    spec.conversion ??= { strategy: 'None' };
    const config = spec.conversion.webhook?.clientConfig;
    if (config !== undefined) defaultClientConfig(config as WebhookClientConfig);
    if ((crd.status?.storedVersions ?? []).length === 0) addStorageVersion(crd);
  },
  prepareForCreate: (crd) => {
    crd.status = {};
    addStorageVersion(crd);
  },
  prepareForUpdate: addStorageVersion,
  validate: validateCrd,
  validateOnUpdate: false,
  validateUpdate: validateCrdUpdate,
  validateStatusUpdate: validateCrdStatus,
  warnings: (crd, old) => {
    const known = new Set(old === undefined ? [] : unknownFormats(old));
    return unknownFormats(crd)
      .filter((format) => !known.has(format))
      .map((format) => `unrecognized format ${goQuote(format)}`);
  },
  cells: nameAndCreation,
};

function defaultNames(names: CrdNames): void {
  if ((names.singular ?? '') === '' && names.kind !== '') names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? '') === '' && names.kind !== '') names.listKind = `${names.kind}List`;
}

/** The version that objects are written in from now on is one that they may be stored in. */
function addStorageVersion(crd: CustomResourceDefinition): void {
  const name = versionsOf(crd).find(({ storage }) => storage)?.name;
  const stored = crd.status?.storedVersions ?? [];
  if (name === undefined || stored.includes(name)) return;
  crd.status = { ...crd.status, storedVersions: [...stored, name] };
}

/** Formats of texts that this server does not check. */
function unknownFormats(crd: CustomResourceDefinition): string[] {
  const schemas = versionsOf(crd).map(({ schema }) => schema?.openAPIV3Schema);
  const [first] = schemas;
  // Upstream looks once at a schema that all versions share.
  const isShared = schemas.every((schema) => deepEqual(schema, first));
  return (isShared ? [first] : schemas).flatMap((schema) =>
    schema === undefined ? [] : unknownFormatsIn(schema),
  );
}

function unknownFormatsIn(schema: JsonSchemaProps): string[] {
  const { type, format = '' } = schema;
  const isUnknown = type === 'string' && format !== '' && formatCheck(format) === undefined;
  return [...(isUnknown ? [format] : []), ...partsOf(schema).flatMap(unknownFormatsIn)];
}
