export type * from './field-error.ts';
export {
  aggregateTexts,
  duplicate,
  fieldPathText,
  forbidden,
  formatFieldError,
  formatFieldErrors,
  immutableDetail,
  internalFieldError,
  invalid,
  negativeDetail,
  notFoundField,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-errors.ts';
export { at, child, keyed } from './field-path.ts';
export { byteLength } from './go/byte-length.ts';
export { goQuote } from './go/quote.ts';
export { GoNumber, goSprint, goSyntax, goTypeName } from './go/values.ts';
export { GoTemplateError } from './go-template/evaluator.ts';
export { executeGoTemplate, type GoTemplateOptions } from './go-template/execute.ts';
export { type ParsedTemplate, parseGoTemplate } from './go-template/parse.ts';
export {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from './group-version.ts';
export { encodeJson } from './json/encode-json.ts';
export { formatJson } from './json/format-json.ts';
export {
  duplicateFieldText,
  type ParsedJson,
  type ParseJsonOptions,
  parseJson,
} from './json/parse-json.ts';
export type { FindOptions } from './jsonpath/find.ts';
export {
  findJsonPath,
  type JsonPath,
  parseJsonPath,
  printJsonPath,
  printJsonPathAsJson,
  relaxedJsonPath,
} from './jsonpath/json-path.ts';
export { JsonPathError } from './jsonpath/walk.ts';
export {
  apiVersionOf,
  defineKind,
  formatKey,
  type Kind,
  keyOfObject,
  type ObjectKey,
} from './kind.ts';
export type * from './object.ts';
export { ParseError } from './parse-error.ts';
export { jsonPatch, jsonPatchStrictErrors } from './patch/json-patch.ts';
export { mergePatch } from './patch/merge-patch.ts';
export { strictlyEqual } from './patch/strictly-equal.ts';
export { canonicalQuantity, formatQuantity } from './quantity/format-quantity.ts';
export { parseQuantity } from './quantity/parse-quantity.ts';
export {
  addQuantities,
  compareQuantities,
  isFractionalQuantity,
  multiplyQuantity,
  type Quantity,
  type QuantityFormat,
  quantityMilliValue,
  quantityOf,
  quantitySign,
  quantityToNumber,
  quantityValue,
  scaledQuantityValue,
  subtractQuantities,
} from './quantity/quantity.ts';
export { refusalWords } from './refusal-words.ts';
export {
  type FieldSelector,
  type FieldTerm,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
  requiredFieldValue,
} from './selectors/field-selector.ts';
export type { LabelSelector, LabelSelectorRequirement } from './selectors/label-selector.ts';
export { parseLabelSelector } from './selectors/parse-label-selector.ts';
export {
  type LabelOperator,
  type LabelRequirement,
  newRequirement,
} from './selectors/requirement.ts';
export {
  everything,
  formatLabelSelector,
  formatLabels,
  formatSelector,
  labelSelectorAsSelector,
  matchesLabels,
  nothing,
  type Selector,
  selectorFromLabels,
  selectorOf,
  selectsEverything,
} from './selectors/selector.ts';
export { type StatusCause, type StatusDetails, StatusError } from './status-error.ts';
export {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  expired,
  forbiddenError,
  formatGroupKind,
  formatGroupResource,
  generateNameConflict,
  gone,
  internalError,
  invalidObject,
  methodNotSupported,
  notAcceptable,
  notFound,
  optimisticLockDetail,
  serverTimeout,
  serviceUnavailable,
  timeoutError,
  tooLarge,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from './status-errors.ts';
export {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  statusErrorOf,
  suggestedDelayMs,
} from './status-predicates.ts';
export { type StatusReason, statusReasons } from './status-reasons.ts';
export { formatColumns } from './text/columns.ts';
export { type Clock, systemClock } from './time/clock.ts';
export { durationToMs, formatDuration, parseDuration } from './time/duration.ts';
export { humanDuration, shortHumanDuration } from './time/human-duration.ts';
export {
  canonicalMicroTime,
  canonicalTime,
  formatTime,
  type Instant,
  isZeroTime,
  parseMicroTime,
  parseTime,
  rfc3339Micro,
} from './time/instant.ts';
export {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isWildcardDNS1123Subdomain,
} from './validation/dns-names.ts';
export {
  isDomainPrefixedPath,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from './validation/domain-names.ts';
export {
  type Cidr,
  equalIP,
  formatIP,
  type IpAddress,
  maskIP,
  parseCIDR,
  parseIP,
} from './validation/ip.ts';
export {
  isValidCIDR,
  isValidCIDRForLegacyField,
  isValidInterfaceAddress,
  isValidIP,
  isValidIPForLegacyField,
  warningsForCIDR,
  warningsForIP,
} from './validation/ip-rules.ts';
export {
  hasInvalidLabelValue,
  type LabelSelectorOptions,
  validateAnnotations,
  validateLabelName,
  validateLabelSelector,
  validateLabels,
  validateOperator,
} from './validation/labels.ts';
export { validateFieldManager, validateManagedFields } from './validation/managed-fields.ts';
export { checkName, type NameRule } from './validation/name-rules.ts';
export {
  isCIdentifier,
  isConfigMapKey,
  isEnvVarName,
  isHTTPHeaderName,
  isInRange,
  isPathSegmentName,
  isPathSegmentPrefix,
  isQualifiedName,
  isRelaxedEnvVarName,
  isValidGroupID,
  isValidLabelValue,
  isValidPercent,
  isValidPortName,
  isValidPortNum,
  isValidUserID,
} from './validation/names.ts';
export {
  foregroundFinalizer,
  type ObjectMetaOptions,
  orphanFinalizer,
  validateFinalizerName,
  validateFinalizers,
  validateImmutable,
  validateNonnegative,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateOwnerReferences,
} from './validation/object-meta.ts';
export { deepCopy } from './values/deep-copy.ts';
export { deepEqual } from './values/deep-equal.ts';
export { type IntOrString, percentValue, scaledIntOrPercent } from './values/int-or-string.ts';
export { goJsonKind, isJsonObject } from './values/json-kind.ts';
export { getOwn, setOwn } from './values/own-key.ts';
export { type Enrolled, Roster } from './values/roster.ts';
export * as x509 from './x509/index.ts';
export {
  type ParsedYaml,
  parseYaml,
  parseYamlDocuments,
  type YamlLimits,
} from './yaml/parse-yaml.ts';
export { NOT_PLAIN, readPlainYaml } from './yaml/plain-yaml.ts';
export { toYaml } from './yaml/to-yaml.ts';
export { type YamlLines, yamlLines } from './yaml/yaml-lines.ts';
