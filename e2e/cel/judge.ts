import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder, runGo } from '../../tools/real-kubernetes/go.ts';

const CACHE = join(FLOTILLA_ROOT, '.cache', 'cel');
const PROGRAM = join(CACHE, 'judge');

/** The modules whose tests have the expressions that both are asked. */
const SOURCES = ['cel.dev/expr', 'github.com/google/cel-go', 'k8s.io/apiserver'];

/** Builds the program that evaluates as kube-apiserver does, and fetches what the tests read. */
export function prepareJudge(): void {
  mkdirSync(CACHE, { recursive: true });
  for (const module of SOURCES) moduleFolder(module);
  runGo(['build', '-trimpath', '-o', PROGRAM, './cel']);
}

/** An expression, with the data and schema of `self`. */
export interface Question {
  readonly expr: string;
  readonly self?: unknown;
  readonly schema?: unknown;
  readonly stored?: boolean;
}

/** What came of it; absent texts are not set. */
export interface Answer {
  /** Why it does not compile. */
  readonly issues?: string;
  /** Why it cannot be made a program. */
  readonly program?: string;
  readonly value?: string;
  readonly error?: string;
  readonly cost: number;
  readonly min: string;
  readonly max: string;
}

/** What cel-go with Kubernetes' environment says. */
export function askJudge(questions: readonly Question[]): Answer[] {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(PROGRAM, {
    input,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`Cannot ask the judge of CEL: ${stderr}`);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): Answer => JSON.parse(line));
}
