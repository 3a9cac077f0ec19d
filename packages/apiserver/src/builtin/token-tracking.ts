import {
  formatTime,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isNotFound,
  type KubeObject,
} from '@flotilla/machinery';
import { API_SERVER } from '../managed-fields/manager-name.ts';
import { createObject } from '../objects/create-object.ts';
import type { Engine } from '../objects/engine.ts';
import { findStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import type { Registry } from '../resources/registry.ts';
import { keyOf } from '../resources/resource.ts';
import type { BuiltinController } from './controller.ts';
import { noWarnings, SYSTEM_USER } from './system-user.ts';

const NAMESPACE = 'kube-system';
const NAME = 'kube-apiserver-legacy-service-account-token-tracking';
const DATE = /^\d{4}-\d\d-\d\d$/;
const RECHECK_MS = 1_000;

/** The data of the ConfigMap that says since which day the use of stored tokens is recorded. */
export function trackedSince(time: string): Record<string, string> {
  return { since: time.slice(0, 'yyyy-mm-dd'.length) };
}

/**
 * Keeps the ConfigMap by which kube-controller-manager knows which stored tokens are unused: nothing can be said of
 * the days before it. Upstream makes a deleted one anew at most every half hour; ours comes back at once.
 */
export function tokenTrackingController(engine: Engine, registry: Registry): BuiltinController {
  const def = registry.find('', 'v1', 'configmaps');
  if (def === undefined) throw new Error('Cannot track tokens: "configmaps" are not served');
  const key = keyOf(def, NAMESPACE, NAME);
  const today = () => trackedSince(formatTime(engine.now()));
  const by = { user: SYSTEM_USER, manager: API_SERVER, dryRun: false, warn: noWarnings };
  return {
    name: 'legacy-token-tracking',
    // The API server itself does this upstream, not the controller manager.
    yields: false,
    initial: () => [key],
    concerns: (change) => (change.key === key ? [key] : []),
    sync: async (tenant) => {
      const target = { tenant, def, namespace: NAMESPACE, name: NAME };
      const found = findStored(engine, target);
      try {
        if (found === undefined) {
          const metadata = { name: NAME, namespace: NAMESPACE };
          const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: today() };
          await createObject(engine, { ...target, ...by, object });
        } else if (!isDated(found.object)) {
          await updateObject(engine, {
            ...target,
            ...by,
            subresource: '',
            change: (current) => ({ ...current, data: { ...dataOf(current), ...today() } }),
          });
        }
      } catch (error) {
        if (isForbidden(error)) return RECHECK_MS;
        if (!isAlreadyExists(error) && !isNotFound(error) && !isConflict(error)) throw error;
      }
      return undefined;
    },
  };
}

function isDated(object: KubeObject): boolean {
  const since = dataOf(object)['since'] ?? '';
  return DATE.test(since) && !Number.isNaN(Date.parse(since));
}

function dataOf(object: KubeObject): Record<string, string> {
  return (object['data'] ?? {}) as Record<string, string>;
}
