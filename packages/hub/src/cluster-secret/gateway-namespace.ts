import type { Client, KubeCondition } from '@flotilla/client';
import { defineKind, isNotFound, type KubeObject } from '@flotilla/machinery';
import { GATEWAY_PREFIX } from './names.ts';

/** A part of the API that is served by somebody else, or by the server itself where `service` is missing. */
export interface ApiService extends KubeObject {
  spec?: {
    service?: { namespace?: string; name?: string; port?: number } | null;
    [field: string]: unknown;
  };
  status?: { conditions?: KubeCondition[] };
}

/** apiregistration.k8s.io/v1 APIServices. */
export const ApiServices = defineKind<ApiService>({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
});

/** The APIService of cluster-gateway. */
export const GATEWAY_API_SERVICE = `v1alpha1.${GATEWAY_PREFIX}`;

/** Where cluster Secrets belong, and whether the gateway that reads them answers. */
export interface Gateway {
  readonly namespace: string;
  readonly state: 'absent' | 'unavailable' | 'available';
}

/**
 * Finds cluster-gateway. Its Secrets are in the namespace of its service; where nobody has installed it, or the hub
 * serves it itself, they are in `fallback`.
 */
export async function findGateway(
  get: Client['get'],
  fallback: string,
  signal?: AbortSignal,
): Promise<Gateway> {
  let found: ApiService;
  try {
    found = await get(ApiServices, { name: GATEWAY_API_SERVICE }, { signal });
  } catch (error) {
    if (isNotFound(error)) return { namespace: fallback, state: 'absent' };
    throw error;
  }
  const isAvailable = (found.status?.conditions ?? []).some(
    ({ type, status }) => type === 'Available' && status === 'True',
  );
  return {
    namespace: found.spec?.service?.namespace || fallback,
    state: isAvailable ? 'available' : 'unavailable',
  };
}
