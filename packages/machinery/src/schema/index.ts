export { compileSchema } from './compile-schema.ts';
export { conversionProblem } from './define/conversion-problem.ts';
export { internalSchema } from './define/internal-form.ts';
export { type DefinitionOptions, validateDefinition } from './define/validate-definition.ts';
export { formatCheck } from './formats/formats.ts';
export { isAbsoluteURL } from './formats/uri-format.ts';
export { partsOf } from './node.ts';
export {
  formatPrinterCell,
  type PrinterCell,
  type PrinterColumn,
  printerCells,
  readableColumns,
} from './printer-columns.ts';
export {
  definitionName,
  openApiListSchema,
  openApiSchemaV2,
  openApiSchemaV3,
  type PublishedVersion,
} from './publish.ts';
export { followPath } from './rules/field-path.ts';
export { selectableField } from './selectable-field.ts';
export type * from './types.ts';
