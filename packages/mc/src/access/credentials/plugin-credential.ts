import {
  type Credential,
  type ExecPlugin,
  type PluginAnswer,
  type Presented,
  singleFlight,
} from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import type { CredentialCache } from './credential-cache.ts';
import { withExpiry } from './expiry.ts';

/** What the credential of a command is made of. */
export interface PluginCredentialDeps {
  readonly clock: Clock;
  readonly run: (plugin: ExecPlugin, signal: AbortSignal) => Promise<PluginAnswer>;
  readonly cache: CredentialCache | undefined;
}

/** Credentials are renewed before they expire: by a tenth of their life, and at most this, as kubectl does. */
const MAX_SKEW_MS = 10_000;
/** A command that failed for one cluster is not run again for each of the others. */
const FAILURE_MS = 10_000;

/**
 * A credential that a command prints: from memory, from disk where that is wanted, else from one run that all who wait
 * for it share. A credential that a server refused leads to one run more.
 */
export function pluginCredential(plugin: ExecPlugin, deps: PluginCredentialDeps): Credential {
  const { clock, run, cache } = deps;
  let current: { presented: Presented; staleAt: number } | undefined;
  let failure: { error: unknown; until: number } | undefined;

  const keep = (answer: PluginAnswer): Presented => {
    const presented = withExpiry(answer);
    current = { presented, staleAt: staleTime(answer, clock.now()) };
    failure = undefined;
    return presented;
  };
  const renew = singleFlight(async (signal) => {
    try {
      const answer = await run(plugin, signal);
      await cache?.write(plugin, answer).catch(() => undefined);
      return keep(answer);
    } catch (error) {
      if (!signal.aborted) failure = { error, until: clock.now() + FAILURE_MS };
      throw error;
    }
  });
  const obtain = singleFlight(async (signal) => {
    const kept = await cache?.read(plugin);
    return kept === undefined ? await renew(signal) : keep(kept);
  });

  return {
    present: async (signal) => {
      if (current !== undefined && clock.now() <= current.staleAt) return current.presented;
      if (failure !== undefined && clock.now() < failure.until) throw failure.error;
      return await obtain(signal);
    },
    refused: async (rejected, signal) => {
      // Somebody else's refusal has led to a new one already.
      if (current !== undefined && !isSame(current.presented, rejected)) return true;
      try {
        await cache?.drop(plugin);
        return !isSame(await renew(signal), rejected);
      } catch (error) {
        if (signal?.aborted === true) throw error;
        return false;
      }
    },
  };
}

function staleTime({ expiresAt }: PluginAnswer, now: number): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY;
  return expiresAt - Math.min(MAX_SKEW_MS, Math.max(0, expiresAt - now) / 10);
}

function isSame(a: Presented, b: Presented): boolean {
  return (
    a.authorization === b.authorization &&
    a.certificate?.cert === b.certificate?.cert &&
    a.certificate?.key === b.certificate?.key
  );
}
