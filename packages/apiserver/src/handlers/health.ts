import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import { text } from './respond.ts';

/** One thing that can be well or not; the message says what is wrong. */
export interface HealthCheck {
  readonly name: string;
  /** Which endpoints ask it. */
  readonly on: readonly ('healthz' | 'livez' | 'readyz')[];
  readonly check: () => string | undefined;
}

/** /healthz, /livez and /readyz, whole or by single check, with `verbose` and `exclude`. */
export function health(checks: readonly HealthCheck[]) {
  return ({ path, query }: ApiRequest): ApiResponse | undefined => {
    const [endpoint, name, ...rest] = path.slice(1).split('/');
    if (endpoint !== 'healthz' && endpoint !== 'livez' && endpoint !== 'readyz') return undefined;
    if (name === '') return undefined;
    const asked = checks.filter(({ on }) => on.includes(endpoint));
    if (name !== undefined) {
      const one = asked.find((check) => check.name === name);
      if (one === undefined || rest.length > 0) return undefined;
      const problem = one.check();
      return problem === undefined
        ? text(200, 'ok')
        : text(500, `internal server error: ${problem}\n`);
    }
    return summary(endpoint, asked, query);
  };
}

function summary(
  endpoint: string,
  checks: readonly HealthCheck[],
  query: URLSearchParams,
): ApiResponse {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const { name, check } of checks) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok\n`);
      continue;
    }
    const problem = check();
    if (problem === undefined) lines.push(`[+]${name} ok\n`);
    else {
      failed = true;
      // The reason may name things an anonymous caller must not learn.
      lines.push(`[-]${name} failed: reason withheld\n`);
    }
  }
  if (excluded.size > 0) {
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${[...excluded].map((n) => `"${n}"`).join(', ')}\n`,
    );
  }
  if (failed) return text(500, `${lines.join('')}${endpoint} check failed\n`);
  if (!query.has('verbose')) return text(200, 'ok');
  return text(200, `${lines.join('')}${endpoint} check passed\n`);
}
