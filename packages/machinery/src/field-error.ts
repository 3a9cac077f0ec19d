/** Types of field errors, as `details.causes[].reason` names them. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/** One field that is wrong, with the text upstream would give: `path: Invalid value: "x": detail`. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Path such as `spec.containers[0].name`; '' for the object itself. */
  readonly field: string;
  /** The text after the path: `Required value: …`, `Invalid value: "x": …`. */
  readonly message: string;
}
