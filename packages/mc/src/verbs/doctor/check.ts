/** One thing that was looked at. */
export interface Check {
  readonly kind: CheckKind;
  /** Which of them. */
  readonly subject: string;
  readonly status: 'OK' | 'WARN' | 'FAIL';
  readonly detail: string;
  /** What to do about it; there whenever something is wrong. */
  readonly advice?: string | undefined;
}

/** What is looked at, in this order. Nothing works without sound files and a sound hub. */
export type CheckKind = 'file' | 'program' | 'hub' | 'plugin' | 'cluster';

/** A check whose kind and subject are known. */
export type CheckResult = Omit<Check, 'kind' | 'subject'>;

/** All is well. */
export function ok(detail: string): CheckResult {
  return { status: 'OK', detail };
}

/** It works, and should not stay so. */
export function warn(detail: string, advice: string): CheckResult {
  return { status: 'WARN', detail, advice };
}

/** It does not work. */
export function fail(detail: string, advice: string): CheckResult {
  return { status: 'FAIL', detail, advice };
}

/** An error as a finding: its first line says what is wrong, what follows says what to do, else `advice` does. */
export function failed(error: unknown, advice: string): CheckResult {
  const [detail = '', ...more] = textOf(error).trim().split('\n');
  const own = more.join(' ').trim();
  return fail(detail, own === '' ? advice : own);
}

function textOf(error: unknown): string {
  // Their text quotes what was read, which may be anybody's secret.
  if (error instanceof SyntaxError) return 'Cannot read what the server sent as JSON';
  return error instanceof Error ? error.message : String(error);
}
