export { compileCel, estimateCost } from './compile.ts';
export type { CostRange, SizeEstimator } from './cost/estimate-types.ts';
export { type DeclType, declare, dynDecl, listDecl, mapDecl, objectDecl } from './decl-type.ts';
export { escapeProperty, unescapeProperty } from './escaping.ts';
export {
  type Authorize,
  type AuthorizerAnswer,
  type AuthorizerQuestion,
  CelAuthorizer,
  CelResourceCheck,
} from './library/authorizer.ts';
export {
  authorizerType,
  cidrType,
  ipType,
  quantityType,
  resourceCheckType,
  urlType,
} from './library/opaque-types.ts';
export { compilePattern } from './library/patterns.ts';
export type {
  CelBindings,
  CelEnvironment,
  CelError,
  CelIssue,
  CelIssues,
  CelProgram,
  CelResult,
  CelSuccess,
  CelVariable,
  EvaluateOptions,
} from './program.ts';
export { type CelSchema, celTypeOfSchema, maxCardinality, nameType } from './schema-type.ts';
export {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  formatType,
  intType,
  isOptionalType,
  listType,
  mapType,
  nullType,
  objectType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
  uintType,
} from './types.ts';
export { jsonOfValue, valueOfJson } from './values/json.ts';
export { LazyMap } from './values/maps.ts';
export {
  CelDuration,
  CelFault,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './values/value.ts';
