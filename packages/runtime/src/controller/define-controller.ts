import type { Kind, KubeObject, ObjectKey } from '@flotilla/machinery';
import { type ConditionSet, setProblems } from '../conditions/condition-set.ts';
import type { Controller, ControllerDefinition } from './definition.ts';
import { prepareController } from './prepare-controller.ts';

/**
 * Makes a controller. For everyone alike it fetches the object from the cache and ignores what is gone, hands out a
 * private copy, heeds `spec.suspend`, puts the finalizer first, settles how the pass ended, writes once, and tells of
 * transitions.
 *
 * @example
 * ```ts
 * const greeter = defineController({
 *   name: 'greeter',
 *   for: Greetings,
 *   conditions: { Greeted: ['Said', 'NobodyThere'] } as const satisfies ConditionSet,
 *   reconcile: async (pass) => {
 *     pass.mark('Greeted', 'Said', `Hello, ${pass.object.spec.whom}`);
 *     return resyncAfter(60_000);
 *   },
 * });
 * ```
 */
export function defineController<T extends KubeObject, const S extends ConditionSet>(
  definition: ControllerDefinition<T, S>,
): Controller {
  const problems = setProblems(definition.conditions ?? {});
  if (problems.length > 0) {
    throw new TypeError(`Cannot define controller "${definition.name}": ${problems.join('; ')}`);
  }
  const listeners = new Set<(key: ObjectKey) => void>();
  return {
    name: definition.name,
    kind: definition.for as unknown as Kind,
    prepare: (context) => prepareController(definition, context, listeners),
    enqueue: (key) => {
      for (const listener of listeners) listener(key);
    },
  };
}
