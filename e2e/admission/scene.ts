import type { WebhookBehaviour } from '../../packages/apiserver/src/testing/start-webhook.ts';

/** One request of a scene. */
export interface SceneRequest {
  readonly method: string;
  /** `{ns}` is the namespace of the scene. */
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
  /** Sent again and again until this is the answer. */
  readonly until?: number;
}

/** A webhook, the requests that meet it, and what both servers must agree on. */
export interface Scene {
  readonly name: string;
  readonly kind: 'Mutating' | 'Validating';
  readonly rule: Record<string, unknown>;
  readonly hook?: Record<string, unknown>;
  readonly answer?: WebhookBehaviour;
  /** Further webhooks of the same configuration, which come after it. */
  readonly others?: readonly {
    readonly name: string;
    readonly hook?: Record<string, unknown>;
    readonly answer: WebhookBehaviour;
  }[];
  /** Sent before the webhook is there. */
  readonly before?: readonly SceneRequest[];
  readonly requests: readonly SceneRequest[];
}

/** Creates. */
export const post = (path: string, body: object): SceneRequest => ({ method: 'POST', path, body });
/** Replaces. */
export const put = (path: string, body: object): SceneRequest => ({ method: 'PUT', path, body });
/** Reads. */
export const get = (path: string): SceneRequest => ({ method: 'GET', path });
/** Deletes. */
export const del = (path: string): SceneRequest => ({ method: 'DELETE', path });

/** Merges. */
export const merge = (path: string, body: object): SceneRequest => ({
  method: 'PATCH',
  path,
  body,
  type: 'application/merge-patch+json',
});

/** Applies. */
export const apply = (path: string, body: object): SceneRequest => ({
  method: 'PATCH',
  path,
  body,
  type: 'application/apply-patch+yaml',
});
