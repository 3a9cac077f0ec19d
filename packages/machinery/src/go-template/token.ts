/** What a token is. */
export type TokenKind =
  | 'error'
  | 'eof'
  | 'text'
  | 'left-delim'
  | 'right-delim'
  | 'space'
  | 'field'
  | 'variable'
  | 'dot'
  | 'identifier'
  | 'keyword'
  | 'bool'
  | 'number'
  | 'character'
  | 'string'
  | 'raw-string'
  | 'left-paren'
  | 'right-paren'
  | 'pipe'
  | 'declare'
  | 'assign'
  /** Anything else that can be printed, such as a comma. */
  | 'sign';

/** A piece of a template, and where it stands. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Index of its first unit. */
  readonly at: number;
  readonly line: number;
}
