import type { Clock } from '@flotilla/machinery';
import { redact } from '../conditions/redact.ts';
import { type Answer, plain, type Route } from '../http/answer.ts';
import type { Logger } from '../observer.ts';

/** Where a check is asked. */
export type HealthEndpoint = 'livez' | 'readyz';

/** One thing that can be well or not. */
export interface HealthCheck {
  /** Letters, digits, `-`, `_` and `.`: it stands in paths and in `?exclude=`. */
  readonly name: string;
  /** `livez`: only a restart helps. `readyz`: others should take the requests until it passes again. */
  readonly on: readonly HealthEndpoint[];
  /** Throws what is wrong; given up when the signal is aborted. */
  readonly check: (signal: AbortSignal) => void | Promise<void>;
}

/** How to answer probes. */
export interface HealthOptions {
  readonly checks: readonly HealthCheck[];
  readonly clock: Clock;
  /** Told why a check failed, which callers are not. */
  readonly logger: Logger;
  /** Longest time for one check. @default 5,000 */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
const ENDPOINT = /^\/(healthz|livez|readyz)(?:\/([-\w.]+))?\/?$/;

/**
 * Answers /livez, /readyz and /healthz, whole or by single check, with `?verbose` and `?exclude=NAME`, as Kubernetes'
 * own components do. /healthz is the old name of /livez.
 */
export function createHealth(options: HealthOptions): Route {
  const checks: readonly HealthCheck[] = [
    { name: 'ping', on: ['livez', 'readyz'], check: () => {} },
    ...options.checks,
  ];
  const duplicate = checks.find(
    ({ name }, index) => checks.findIndex((each) => each.name === name) < index,
  );
  if (duplicate !== undefined) {
    throw new Error(`Cannot use the health check "${duplicate.name}": there are two of this name`);
  }
  return async ({ path, query, signal }) => {
    const [, endpoint, name] = ENDPOINT.exec(path) ?? [];
    if (endpoint === undefined) return undefined;
    const asked = checks.filter(({ on }) =>
      on.includes(endpoint === 'readyz' ? 'readyz' : 'livez'),
    );
    if (name !== undefined) {
      const one = asked.find((check) => check.name === name);
      return one === undefined ? undefined : single(await problemOf(one, options, signal));
    }
    const excluded = new Set(query.getAll('exclude').filter((each) => each !== ''));
    const problems = await Promise.all(
      asked.map(async (check) => ({
        check,
        problem: excluded.has(check.name) ? undefined : await problemOf(check, options, signal),
      })),
    );
    for (const { check, problem } of problems) {
      if (problem === undefined) continue;
      options.logger.warn('A health check failed', { endpoint, check: check.name, err: problem });
    }
    return summary(endpoint, {
      lines: problems.map(({ check, problem }) => line(check.name, problem, excluded)),
      unknown: [...excluded].filter((each) => !asked.some((check) => check.name === each)),
      isFailed: problems.some(({ problem }) => problem !== undefined),
      isVerbose: query.has('verbose'),
    });
  };
}

function single(problem: Error | undefined): Answer {
  return problem === undefined
    ? plain(200, 'ok')
    : plain(500, `internal server error: ${redact(problem.message)}\n`);
}

function line(name: string, problem: Error | undefined, excluded: ReadonlySet<string>): string {
  if (excluded.has(name)) return `[+]${name} excluded: ok\n`;
  // Probes are answered to anyone; the log has the reason.
  return problem === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
}

interface Found {
  readonly lines: readonly string[];
  readonly unknown: readonly string[];
  readonly isFailed: boolean;
  readonly isVerbose: boolean;
}

function summary(endpoint: string, { lines, unknown, isFailed, isVerbose }: Found): Answer {
  if (!isFailed && !isVerbose) return plain(200, 'ok');
  const warning =
    unknown.length === 0
      ? ''
      : `warn: some health checks cannot be excluded: no matches for ${[...unknown]
          .sort()
          .map((each) => JSON.stringify(each))
          .join(', ')}\n`;
  const ending = `${endpoint} check ${isFailed ? 'failed' : 'passed'}\n`;
  return plain(isFailed ? 500 : 200, `${lines.join('')}${warning}${ending}`);
}

async function problemOf(
  { name, check }: HealthCheck,
  { clock, timeoutMs = TIMEOUT_MS }: HealthOptions,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const late = new AbortController();
  const timeout = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason as Error));
  });
  using _timer = clock.later(timeoutMs, () =>
    late.abort(new Error(`Cannot finish the check "${name}" within ${timeoutMs} ms`)),
  );
  try {
    await Promise.race([check(AbortSignal.any([signal, late.signal])), timeout]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
