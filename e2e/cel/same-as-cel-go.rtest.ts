// Expressions with values, messages and both costs, compared with cel-go in Kubernetes' environment.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { moduleFolder } from '../../tools/real-kubernetes/go.ts';
import { askOurs } from './ask-ours.ts';
import { type Answer, askJudge, type Question } from './judge.ts';
import typed from './typed-data.json' with { type: 'json' };

const HERE = join(FLOTILLA_ROOT, 'e2e', 'cel');
const ours = readFileSync(join(HERE, 'expressions.txt'), 'utf8').trimEnd().split('\n');

/** Folders of tests whose expressions are asked; the modules are Kubernetes' and cel-go's own. */
const TESTS: readonly (readonly [module: string, ...folder: string[]])[] = [
  ['k8s.io/apiserver', 'pkg', 'cel', 'library'],
  ['github.com/google/cel-go', 'interpreter'],
  ['github.com/google/cel-go', 'checker'],
  ['github.com/google/cel-go', 'ext'],
  ['github.com/google/cel-go', 'cel'],
];

/** The texts that fields of test tables such as `expr` hold; what is no expression says so alike. */
function expressionsIn(source: string): string[] {
  const field = /\b(?:expr|in|rule|I|E)\s*:\s*(`[^`]*`|"(?:[^"\\\n]|\\.)*")/g;
  return [...source.matchAll(field)].flatMap(([, literal = '']) => {
    if (literal.startsWith('`')) return [literal.slice(1, -1)];
    try {
      return [String(JSON.parse(literal))];
    } catch {
      return [];
    }
  });
}

function upstream(): string[] {
  const found = new Set<string>();
  for (const [module, ...folder] of TESTS) {
    const path = join(moduleFolder(module), ...folder);
    for (const name of readdirSync(path).filter((each) => each.endsWith('_test.go'))) {
      for (const expr of expressionsIn(readFileSync(join(path, name), 'utf8'))) found.add(expr);
    }
  }
  return [...found].filter((expr) => expr !== '' && expr.length < 3000 && isComparable(expr));
}

/** Left out: messages of protobuf, which cannot be constructed. */
const isComparable = (expr: string): boolean => !expr.includes('google.protobuf');

/** After a syntax error cel-go goes on and guesses, we do not. */
const isSyntax = ({ issues = '' }: Answer): boolean => issues.includes('Syntax error');

interface Difference {
  readonly question: Question;
  readonly cel: unknown[];
  readonly ours: unknown[];
}

function differences(questions: readonly Question[]): unknown[] {
  const wanted = askJudge(questions);
  const found = questions.flatMap((question, index): Difference[] => {
    const judged = wanted[index] as Answer;
    const answered = askOurs(question);
    if (isSyntax(judged) && isSyntax(answered)) return [];
    const [cel, ours] = [comparable(judged), comparable(answered)];
    return isDeepStrictEqual(cel, ours) ? [] : [{ question, cel, ours }];
  });
  return found
    .filter((each) => !isOneOfItsAnswers(each))
    .map(({ question, cel, ours }) => ({ expr: question.expr, cel, ours }));
}

/**
 * Maps have no order in Go, so a loop over one that ends early costs the judge now this, now that,
 * and may find another error first. Ours, which keeps to one order, must be among its answers.
 */
function isOneOfItsAnswers({ question, ours }: Difference): boolean {
  const answers = askJudge(Array.from({ length: 64 }, () => question));
  return answers.some((answer) => isDeepStrictEqual(comparable(answer), ours));
}

function comparable(answer: Answer): unknown[] {
  const { issues, program, value, error, cost, min, max } = answer;
  // How far it came when it was cut off is nobody's contract.
  const isCut = error?.includes('cost limit exceeded') ?? false;
  return [issues, program, value, error, isCut ? 0 : cost, min, max].map((each) => each ?? '');
}

describe('same as cel-go', () => {
  test('the expressions of upstream, over data without a schema', () => {
    const self = { a: 1, b: 'x', c: [1, 2, 3], d: { k: 'v' }, e: 1.5, f: null, list: ['a'] };
    const exprs = upstream();
    assert.ok(exprs.length > 1000, `only ${exprs.length} expressions found`);

    assert.deepEqual(differences(exprs.map((expr) => ({ expr, self }))), []);
  });

  test('expressions over data with a schema', () => {
    const { schema, self } = typed;

    assert.deepEqual(differences(ours.map((expr) => ({ expr, schema, self }))), []);
    assert.deepEqual(differences(ours.map((expr) => ({ expr, schema, self, stored: true }))), []);
  });
});
