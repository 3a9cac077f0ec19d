import { ParseError } from '../parse-error.ts';

/** One condition of a field selector. */
export interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A field selector: all terms must hold. None means everything. */
export type FieldSelector = readonly FieldTerm[];

/** Reads `metadata.name=a,spec.x!=b`, the form of the fieldSelector parameter; errors have upstream's text. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).sort()) {
    if (part === '') continue;
    const term = parseTerm(part);
    if (term === undefined) {
      throw new ParseError(`invalid selector: '${text}'; can't understand '${part}'`);
    }
    // A bare `=` asks for nothing, and upstream drops it.
    if (term.field !== '' || term.value !== '') terms.push(term);
  }
  return terms;
}

/** A field selector in the form it is parsed from. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector
    .map((term) => `${term.field}${term.operator}${term.value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}

/** Whether an object is selected; `read` gives the text of a field, '' when it has none. */
export function matchesFields(selector: FieldSelector, read: (field: string) => string): boolean {
  return selector.every((term) => (read(term.field) === term.value) === (term.operator === '='));
}

/** The one value a field must have to be selected, so that a list can become a get. */
export function requiredFieldValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((term) => term.field === field && term.operator === '=')?.value;
}

/** At commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(part: string): FieldTerm | undefined {
  const match = /!=|==|=/.exec(part);
  if (match === null) return undefined;
  const value = unescapeValue(part.slice(match.index + match[0].length));
  return {
    field: part.slice(0, match.index),
    operator: match[0] === '!=' ? '!=' : '=',
    value,
  };
}

function unescapeValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let value = '';
  let isEscaped = false;
  for (const char of text) {
    if (isEscaped) {
      if (char !== '\\' && char !== ',' && char !== '=') throw invalidEscape(`\\${char}`);
      value += char;
      isEscaped = false;
    } else if (char === '\\') {
      isEscaped = true;
    } else if (char === ',' || char === '=') {
      throw new ParseError(
        `invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`,
      );
    } else {
      value += char;
    }
  }
  if (isEscaped) throw invalidEscape('\\');
  return value;
}

function invalidEscape(sequence: string): ParseError {
  return new ParseError(`invalid field selector: invalid escape sequence: ${sequence}`);
}
