export {
  type Comparison,
  compareTyped,
  filterComparison,
  isSame,
} from './compare-typed.ts';
export { exceptFields, type FieldFilter, type FieldPattern, onlyMatching } from './field-filter.ts';
export {
  difference,
  EMPTY_SET,
  type FieldSet,
  hasPath,
  intersection,
  isEmptySet,
  leaves,
  pathsOf,
  recursiveDifference,
  sameSet,
  setOf,
  sizeOf,
  union,
} from './field-set.ts';
export { fieldSetOf } from './field-set-of.ts';
export { parseFieldsV1 } from './fields-v1.ts';
export {
  type Applied,
  ApplyConflicts,
  applyManaged,
  type Conflict,
  type Managers,
  type ManagersApply,
  type ManagersDeps,
  type ManagersUpdate,
  type OwnedFields,
  type Typed,
  updateManagers,
} from './managers.ts';
export {
  ATOMIC,
  DEDUCED,
  type FieldSchema,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  type Scalar,
} from './merge-schema.ts';
export { mergeTyped } from './merge-typed.ts';
export { newFields } from './new-fields.ts';
export {
  compareElements,
  fieldElement,
  keyElement,
  type PathElement,
  parseElement,
  pathText,
  valueElement,
} from './path-element.ts';
export { removeItems } from './remove-items.ts';
export { reconcileSet, withNamedFields } from './schema-changes.ts';
export {
  mergeSchemaOfStructural,
  type StructuralOptions,
  type StructuralSchema,
} from './structural-schema.ts';
export { TypedError, type TypedProblem } from './typed-error.ts';
export { type ValidateOptions, validateTyped } from './validate-typed.ts';
