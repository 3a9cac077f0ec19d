import { tooManyRequests } from '@flotilla/machinery';
import type { ApiRequest, Handle } from './exchange.ts';
import { isLongRunning } from './long-running.ts';

/** How many requests of one tenant may be at work at once. */
export interface InflightCaps {
  readonly readOnly: number;
  readonly mutating: number;
}

/** Upstream's `--max-requests-inflight` and `--max-mutating-requests-inflight`. */
export const defaultInflightCaps: InflightCaps = { readOnly: 400, mutating: 200 };

/** Counts requests at work, by tenant and sort; a tenant without any costs nothing. */
export interface Inflight {
  /** Takes a place; undefined when there is none. The returned function gives it back, once. */
  readonly enter: (tenant: string, mutating: boolean) => (() => void) | undefined;
  /** Requests at work now. */
  readonly count: (tenant: string) => InflightCaps;
}

/** A fresh set of counters. */
export function createInflight(caps: InflightCaps = defaultInflightCaps): Inflight {
  const readOnly = new Map<string, number>();
  const mutating = new Map<string, number>();
  return {
    enter: (tenant, isMutating) => {
      const counts = isMutating ? mutating : readOnly;
      const before = counts.get(tenant) ?? 0;
      if (before >= (isMutating ? caps.mutating : caps.readOnly)) return undefined;
      counts.set(tenant, before + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        const now = (counts.get(tenant) ?? 1) - 1;
        if (now === 0) counts.delete(tenant);
        else counts.set(tenant, now);
      };
    },
    count: (tenant) => ({
      readOnly: readOnly.get(tenant) ?? 0,
      mutating: mutating.get(tenant) ?? 0,
    }),
  };
}

/** What the stage needs to know of a request. */
export interface InflightStage {
  readonly inflight: Inflight;
  readonly tenantOf: (request: ApiRequest) => string;
  /** Callers so powerful that they always get an answer; upstream lets system:masters through. */
  readonly isExempt?: (request: ApiRequest) => boolean;
  readonly isLongRunning?: (request: ApiRequest) => boolean;
}

/** Answers 429 instead of passing on a request that would put its tenant over its cap. */
export function limitInflight(next: Handle, stage: InflightStage): Handle {
  const longRunning = stage.isLongRunning ?? isLongRunning;
  return async (request) => {
    if (longRunning(request)) return next(request);
    const mutating = request.method !== 'GET' && request.method !== 'HEAD';
    const leave = stage.inflight.enter(stage.tenantOf(request), mutating);
    if (leave === undefined) {
      if (stage.isExempt?.(request)) return next(request);
      throw tooManyRequests('Too many requests, please try again later.', 1);
    }
    try {
      return await next(request);
    } finally {
      leave();
    }
  };
}
