import { TransportError } from '@flotilla/client';
import { isNotFound, isUnauthorized, StatusError } from '@flotilla/machinery';
import { loginHint } from '../fan-out/login-hint.ts';
import { UsageError } from '../usage-error.ts';
import type { Hub } from './hub.ts';

/** The hub did not tell which clusters there are: fatal, and told as `error: …`. */
export class HubError extends UsageError {
  /** Whether it is the hub or the way to it that is down, so that what it said earlier may stand in. */
  readonly isDown: boolean;

  constructor(message: string, options: { cause?: unknown; isDown?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isDown = options.isDown ?? false;
  }
}

/** Says what went wrong with a hub, which one, and what to do; errors that are nobody's answer come back as they are. */
export function hubErrorOf(error: unknown, hub: Hub): unknown {
  if (error instanceof StatusError) return refusalOf(error, hub);
  if (!(error instanceof TransportError) || error.fault === 'aborted') return error;
  if (error.fault === 'credential') {
    return new HubError(
      `Cannot log in to the hub (${hub.title}): ${error.message}\n${howToLogIn(hub)}`,
      { cause: error },
    );
  }
  return new HubError(`Cannot list clusters on the hub (${hub.title}): ${error.message}`, {
    cause: error,
    isDown: true,
  });
}

function refusalOf(error: StatusError, hub: Hub): HubError {
  if (isUnauthorized(error)) {
    return new HubError(
      `Cannot log in to the hub (${hub.title}): You must be logged in to the server (Unauthorized)\n${howToLogIn(hub)}`,
      { cause: error },
    );
  }
  if (isNotFound(error)) {
    return new HubError(
      `the hub has no ClusterProfile API (multicluster.x-k8s.io/v1alpha1)\n` +
        `It was looked for on ${hub.server} (${hub.title}). Use --hub-context for another hub, ` +
        'or --inventory kubeconfig to take the contexts of your kubeconfig for clusters.',
      { cause: error },
    );
  }
  return new HubError(`Cannot list clusters on the hub (${hub.title}): ${error.message}`, {
    cause: error,
    isDown: error.code >= 500 || error.code === 429,
  });
}

function howToLogIn({ command, title }: Hub): string {
  const how = loginHint({ command, source: title });
  return `To log in, ${how}${command === undefined ? ', or name another hub with --hub-context' : ''}`;
}
