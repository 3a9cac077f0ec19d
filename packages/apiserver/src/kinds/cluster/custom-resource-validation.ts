import {
  at,
  child,
  deepEqual,
  type FieldError,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  keyed,
  notSupported,
  required,
  validateImmutable,
} from '@flotilla/machinery';
import {
  conversionProblem,
  isAbsoluteURL,
  type JsonSchemaProps,
  partsOf,
  validateDefinition,
} from '@flotilla/machinery/schema';
import { type CustomResourceDefinition, hasCondition } from '../../custom/crd.ts';
import { readMetadata } from '../../custom/metadata-reader.ts';
import { isCertificateBundle } from './certificate-pem.ts';
import {
  type ConversionOptions,
  isKnownReview,
  validateConversion,
} from './custom-resource-conversion.ts';
import {
  type InternalSpec,
  internalSpec,
  shownVersions,
  versionsOf,
} from './custom-resource-internal.ts';
import { requireNames, validateNames } from './custom-resource-names.ts';
import {
  validateColumn,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from './custom-resource-version.ts';

type Crd = CustomResourceDefinition;
type Version = InternalSpec['versions'][number];

const scopes = ['Cluster', 'Namespaced'];
const APPROVAL = 'api-approved.kubernetes.io';
const ENHANCEMENT = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** What validation of a spec depends on besides the spec. */
interface SpecOptions extends ConversionOptions {
  /** Undefined on create. */
  readonly old?: Crd;
}

/** The errors of a new CRD, beyond its metadata. */
export function validateCrd(crd: Crd): FieldError[] {
  const { names, group } = crd.spec;
  const errors: FieldError[] = [];
  if (crd.metadata.name !== `${names.plural}.${group}`) {
    const detail = 'must be spec.names.plural+"."+spec.group';
    errors.push(invalid('metadata.name', crd.metadata.name ?? '', detail));
  }
  const options = { requireKnownReview: true, allowBadBundle: true };
  return [...errors, ...validateSpec(crd, options), ...validateRest(crd, undefined)];
}

/** The errors of a changed CRD, beyond its metadata. */
export function validateCrdUpdate(crd: Crd, old: Crd): FieldError[] {
  const isEstablished = hasCondition(old, 'Established');
  const webhook = old.spec.conversion?.webhook;
  const bundle = webhook?.clientConfig?.caBundle ?? '';
  const options = {
    old,
    requireKnownReview: isKnownReview(webhook?.conversionReviewVersions ?? []),
    allowBadBundle: !isEstablished || (bundle !== '' && !isCertificateBundle(bundle)),
  };
  const { spec } = crd;
  const errors = validateSpec(crd, options);
  if (isEstablished) {
    errors.push(
      ...validateImmutable(spec.scope, old.spec.scope, 'spec.scope'),
      ...validateImmutable(spec.names.kind, old.spec.names.kind, 'spec.names.kind'),
    );
  }
  return [
    ...errors,
    ...validateImmutable(spec.group, old.spec.group, 'spec.group'),
    ...validateImmutable(spec.names.plural, old.spec.names.plural, 'spec.names.plural'),
    ...validateRest(crd, old),
  ];
}

/** The errors of a CRD's status. */
export function validateCrdStatus({ status }: Crd): FieldError[] {
  const names = status?.acceptedNames;
  return names === undefined ? [] : validateNames(names, 'status.acceptedNames');
}

function validateRest(crd: Crd, old: Crd | undefined): FieldError[] {
  return [
    ...validateCrdStatus(crd),
    ...validateStoredVersions(crd),
    ...validateApproval(crd, old),
    ...validatePreserving(crd, old),
  ];
}

function validateSpec(crd: Crd, options: SpecOptions): FieldError[] {
  const { spec } = crd;
  const { group, scope, names, conversion, preserveUnknownFields = false } = spec;
  const internal = internalSpec(crd);
  const errors = [...validateGroup(group), ...validateScope(scope)];
  if (internal.validation?.openAPIV3Schema === undefined) {
    for (const [index, version] of internal.versions.entries()) {
      if (version.schema?.openAPIV3Schema !== undefined) continue;
      errors.push(required(child(at('spec.versions', index), 'schema', 'openAPIV3Schema')));
    }
  }
  const schemas = versionsOf(crd).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  if (preserveUnknownFields && schemas.some(hasDefaults)) {
    const detail = 'must be false in order to use defaults in the schema';
    errors.push(invalid('spec.preserveUnknownFields', true, detail));
  }
  for (const [index, version] of internal.versions.entries()) {
    const path = at('spec.versions', index);
    const messages = isDNS1035Label(version.name);
    if (messages.length > 0) {
      errors.push(invalid(child(path, 'name'), version.name, messages.join(',')));
    }
    errors.push(...validateVersion(version, path, { internal, options }));
  }
  errors.push(...validateVersionSet(internal));
  errors.push(...requireNames(names, 'spec.names'), ...validateNames(names, 'spec.names'));
  errors.push(...validateShared(internal, options));
  if (conversion !== undefined && conversion.strategy !== 'None' && preserveUnknownFields) {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalid('spec.conversion.strategy', conversion.strategy, detail));
  }
  if (conversion !== undefined) {
    errors.push(...validateConversion(conversion, 'spec.conversion', options));
  }
  return errors;
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  const messages = isDNS1123Subdomain(group);
  if (messages.length > 0) return [invalid('spec.group', group, messages.join(','))];
  if (group.includes('.')) return [];
  return [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateScope(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function validateVersion(
  version: Version,
  path: string,
  { internal, options }: { readonly internal: InternalSpec; readonly options: SpecOptions },
): FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  const hasOwn = internal.versions.some(({ subresources }) => subresources !== undefined);
  // Upstream looks versions up by name, and so finds the first of two with the same.
  const named = internal.versions.find(({ name }) => name === version.name);
  const subresources = hasOwn ? named?.subresources : internal.subresources;
  const errors = [
    ...validateDeprecation(version, path),
    ...validateSchema(schema, options, {
      path: child(path, 'schema'),
      hasStatus: subresources?.status !== undefined,
      versions: [version.name],
    }),
    ...validateSubresources(version.subresources, child(path, 'subresources')),
    ...validateColumns(version.additionalPrinterColumns, child(path, 'additionalPrinterColumns')),
  ];
  const { selectableFields = [] } = version;
  const fieldsPath = child(path, 'selectableFields');
  if (selectableFields.length === 0) return errors;
  if (schema === undefined) {
    const detail = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [...errors, invalid(fieldsPath, '', detail)];
  }
  return [...errors, ...selectableErrors(selectableFields, schema, path)];
}

function validateColumns(columns: Version['additionalPrinterColumns'], path: string): FieldError[] {
  return (columns ?? []).flatMap((column, index) => validateColumn(column, at(path, index)));
}

function validateVersionSet({ versions, hasVersions }: InternalSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    const detail = 'must contain unique version names';
    errors.push(invalid('spec.versions', shownVersions(versions), detail));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalid('spec.versions', hasVersions ? shownVersions(versions) : null, detail));
  }
  const [first] = versions;
  const messages = first === undefined || first.name === '' ? [] : isDNS1035Label(first.name);
  if (messages.length > 0) {
    errors.push(invalid('spec.version', first?.name, messages.join(',')));
  }
  return errors;
}

/** What all versions have in common. */
function validateShared(internal: InternalSpec, options: SpecOptions): FieldError[] {
  const schema = internal.validation?.openAPIV3Schema;
  const hasStatus = [internal, ...internal.versions].some(
    ({ subresources }) => subresources?.status !== undefined,
  );
  const versions = internal.versions.slice(0, 1).map(({ name }) => name);
  const errors = [
    ...validateSchema(schema, options, { path: 'spec.validation', hasStatus, versions }),
    ...validateSubresources(internal.subresources, 'spec.subresources'),
    ...validateColumns(internal.columns, 'spec.additionalPrinterColumns'),
  ];
  const { selectableFields = [], validation } = internal;
  if (selectableFields.length === 0) return errors;
  if (validation === undefined || schema === undefined) {
    const detail = 'may only be set when validations.schema is included';
    return [...errors, invalid('spec.selectableFields', '', detail)];
  }
  return [...errors, ...selectableErrors(selectableFields, schema, 'spec')];
}

function selectableErrors(
  fields: NonNullable<Version['selectableFields']>,
  schema: JsonSchemaProps,
  path: string,
): FieldError[] {
  const problem = conversionProblem(schema);
  const errors = validateSelectableFields(fields, schema, child(path, 'selectableFields'));
  if (problem === undefined) return errors;
  return [invalid(child(path, 'schema', 'openAPIV3Schema'), '', problem), ...errors];
}

function validateSchema(
  schema: JsonSchemaProps | undefined,
  { old }: SpecOptions,
  place: {
    readonly path: string;
    readonly hasStatus: boolean;
    readonly versions: readonly string[];
  },
): FieldError[] {
  if (schema === undefined) return [];
  const before = old === undefined ? [] : versionsOf(old);
  const same = before.find(({ name }) => place.versions.includes(name))?.schema?.openAPIV3Schema;
  const stored = new Set(
    before.flatMap((version) => expressionsOf(version.schema?.openAPIV3Schema)),
  );
  return validateDefinition(schema, {
    path: place.path,
    hasStatus: place.hasStatus,
    isUnchanged: same !== undefined && deepEqual(same, schema),
    isStored: (expression) => stored.has(expression),
    readMetadata,
  });
}

function expressionsOf(schema: JsonSchemaProps | undefined): string[] {
  if (schema === undefined) return [];
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, messageExpression }) =>
    messageExpression === undefined ? [rule] : [rule, messageExpression],
  );
  return [...own, ...partsOf(schema).flatMap(expressionsOf)];
}

function hasDefaults(schema: JsonSchemaProps): boolean {
  return schema.default !== undefined || partsOf(schema).some(hasDefaults);
}

/** Versions that objects may be stored in stay until nothing is stored in them. */
function validateStoredVersions(crd: Crd): FieldError[] {
  const { status } = crd;
  const stored = status?.storedVersions ?? [];
  const path = 'status.storedVersions';
  if (stored.length === 0) {
    return [invalid(path, status?.storedVersions ?? null, 'must have at least one stored version')];
  }
  const errors: FieldError[] = [];
  const left = new Map(stored.map((name, index) => [name, index]));
  for (const { name, storage } of versionsOf(crd)) {
    if (storage && !left.has(name)) {
      errors.push(invalid(path, stored, `must have the storage version ${name}`));
    }
    left.delete(name);
  }
  for (const [name, index] of left) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(at(path, index), name, detail));
  }
  return errors;
}

type Approval = 'approved' | 'bypassed' | 'missing' | 'invalid';

function approvalOf(crd: Crd): Approval {
  const text = crd.metadata.annotations?.[APPROVAL] ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  return isAbsoluteURL(text) ? 'approved' : 'invalid';
}

/** Groups of the Kubernetes community need someone's approval. */
function validateApproval(crd: Crd, old: Crd | undefined): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(crd.spec.group)) return [];
  const approval = approvalOf(crd);
  if (old !== undefined && approvalOf(old) === approval) return [];
  const path = keyed('metadata.annotations', APPROVAL);
  if (approval === 'missing') {
    const detail = `protected groups must have approval annotation "${APPROVAL}", ${ENHANCEMENT}`;
    return [required(path, detail)];
  }
  if (approval !== 'invalid') return [];
  const detail = `protected groups must have approval annotation "${APPROVAL}" with either a URL or a reason starting with "unapproved", ${ENHANCEMENT}`;
  return [invalid(path, crd.metadata.annotations?.[APPROVAL] ?? '', detail)];
}

function validatePreserving(crd: Crd, old: Crd | undefined): FieldError[] {
  if (old?.spec.preserveUnknownFields === true) return [];
  if (crd.spec.preserveUnknownFields !== true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, detail)];
}
