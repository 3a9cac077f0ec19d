import { formatFieldErrors } from '../field-errors.ts';
import { ParseError } from '../parse-error.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import {
  binaryOperators,
  type LabelOperator,
  type LabelRequirement,
  labelKeyErrors,
  newRequirement,
} from './requirement.ts';
import { type Selector, selectorOf } from './selector.ts';

/** Reads `a=b,c in (d,e),!f`, the form of the labelSelector parameter; errors have upstream's text. */
export function parseLabelSelector(text: string): Selector {
  const tokens = new TokenReader(tokenize(text));
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const next = tokens.peek();
    if (next.kind === 'end') break;
    if (next.kind !== 'identifier' && next.kind !== '!') {
      throw new ParseError(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirementWrapped(tokens));
    const separator = tokens.take();
    if (separator.kind === 'end') break;
    if (separator.kind !== ',') {
      throw new ParseError(`found '${separator.text}', expected: ',' or 'end of string'`);
    }
    const after = tokens.peek();
    if (after.kind !== 'identifier' && after.kind !== '!') {
      throw new ParseError(`found '${after.text}', expected: identifier after ','`);
    }
  }
  return selectorOf(requirements);
}

/** Tokens in order. `in` and `notin` are words like any other except where an operator must stand. */
class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    const token = this.#tokens[this.#position] ?? { kind: 'end' as const, text: '' };
    return token.kind === 'in' || token.kind === 'notin'
      ? { kind: 'identifier', text: token.text }
      : token;
  }

  take(): Token {
    const token = this.peek();
    this.#position++;
    return token;
  }

  takeOperator(): Token {
    const token = this.#tokens[this.#position] ?? { kind: 'end' as const, text: '' };
    this.#position++;
    return token;
  }
}

function parseRequirementWrapped(tokens: TokenReader): LabelRequirement {
  try {
    return parseRequirement(tokens);
  } catch (error) {
    if (error instanceof ParseError) {
      throw new ParseError(`unable to parse requirement: ${error.message}`);
    }
    throw error;
  }
}

function parseRequirement(tokens: TokenReader): LabelRequirement {
  let key = tokens.take();
  const isNegated = key.kind === '!';
  if (isNegated) key = tokens.take();
  if (key.kind !== 'identifier') {
    throw new ParseError(`found '${key.text}', expected: identifier`);
  }
  const keyErrors = labelKeyErrors(key.text, '');
  if (keyErrors.length > 0) throw new ParseError(formatFieldErrors(keyErrors));
  // `!key` takes no operator, whatever follows; the caller then trips over what is left.
  if (isNegated) return newRequirement(key.text, '!', []);
  const next = tokens.peek();
  if (next.kind === 'end' || next.kind === ',') return newRequirement(key.text, 'exists', []);
  const operator = parseOperator(tokens);
  const values =
    operator === 'in' || operator === 'notin' ? parseValues(tokens) : [parseExactValue(tokens)];
  return newRequirement(key.text, operator, values);
}

const operatorOfToken: Partial<Record<TokenKind, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

function parseOperator(tokens: TokenReader): LabelOperator {
  const token = tokens.takeOperator();
  const operator = operatorOfToken[token.kind];
  if (operator === undefined) {
    throw new ParseError(`found '${token.text}', expected: ${binaryOperators.join(', ')}`);
  }
  return operator;
}

/** `(a,b)`; an empty place between commas or parentheses is the empty value. */
function parseValues(tokens: TokenReader): string[] {
  const open = tokens.take();
  if (open.kind !== '(') throw new ParseError(`found '${open.text}' expected: '('`);
  const first = tokens.peek();
  if (first.kind === ')') {
    tokens.take();
    return [''];
  }
  if (first.kind !== 'identifier' && first.kind !== ',') {
    throw new ParseError(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values = parseList(tokens);
  tokens.take();
  return [...values].sort();
}

/** Up to, not including, the closing parenthesis. */
function parseList(tokens: TokenReader): Set<string> {
  const values = new Set<string>();
  for (;;) {
    const token = tokens.take();
    const next = tokens.peek();
    if (token.kind === 'identifier') {
      values.add(token.text);
      if (next.kind === ')') return values;
      if (next.kind === ',') continue;
      throw new ParseError(`found '${next.text}', expected: ',' or ')'`);
    }
    if (token.kind !== ',') {
      throw new ParseError(`found '${token.text}', expected: ',', or identifier`);
    }
    if (values.size === 0) values.add('');
    if (next.kind === ')') return values.add('');
    if (next.kind === ',') {
      tokens.take();
      values.add('');
    }
  }
}

function parseExactValue(tokens: TokenReader): string {
  const next = tokens.peek();
  if (next.kind === 'end' || next.kind === ',') return '';
  tokens.take();
  if (next.kind === 'identifier') return next.text;
  throw new ParseError(`found '${next.text}', expected: identifier`);
}
