import type { Admission, Reinvocation } from '../objects/engine.ts';
import { isEnabled, PLUGIN_ORDER, type PluginChoice } from './order.ts';
import type { AdmissionPlugin } from './plugin.ts';

/** All plug-ins as one. */
export interface AdmissionChain extends Disposable {
  /** Names of the plug-ins at work, in their order. */
  readonly names: readonly string[];
  /** Runs the mutating halves; again, once, when a webhook changed what others had seen before it. */
  readonly mutate: (admission: Admission) => Promise<void>;
  readonly validate: (admission: Admission) => Promise<void>;
}

/** Puts plug-ins into upstream's order and leaves out those that are not wanted. */
export function createChain(
  plugins: readonly AdmissionPlugin[],
  choice: PluginChoice = {},
): AdmissionChain {
  const wanted = plugins
    .filter(({ name }) => isEnabled(name, choice))
    .sort((a, b) => PLUGIN_ORDER.indexOf(a.name) - PLUGIN_ORDER.indexOf(b.name));
  const once = async (admission: Admission): Promise<void> => {
    for (const plugin of wanted) {
      if (plugin.mutate !== undefined && plugin.handles(admission.operation)) {
        const answer = plugin.mutate(admission);
        // Most answer at once, and waiting for nothing costs a turn for each of them.
        if (answer !== undefined) await answer;
      }
    }
  };
  return {
    names: wanted.map(({ name }) => name),
    mutate: async (admission) => {
      const reinvocation: Reinvocation = { isAgain: false, isWanted: false, values: new Map() };
      const tracked = withReinvocation(placed(admission), reinvocation);
      await once(tracked);
      if (!reinvocation.isWanted) return;
      reinvocation.isAgain = true;
      await once(tracked);
    },
    validate: async (asked) => {
      const admission = placed(asked);
      for (const plugin of wanted) {
        if (plugin.validate !== undefined && plugin.handles(admission.operation)) {
          const answer = plugin.validate(admission);
          if (answer !== undefined) await answer;
        }
      }
    },
    [Symbol.dispose]: () => {
      // Those that are not wanted were made too, and may follow the store.
      for (const plugin of plugins) plugin[Symbol.dispose]?.();
    },
  };
}

/** Field by field, since every write comes through here and a spread costs more than the plug-ins do. */
function withReinvocation(admission: Admission, reinvocation: Reinvocation): Admission {
  const { tenant, def, operation, subresource, kind, namespace, name, object, old } = admission;
  const { user, dryRun, warn, origin } = admission;
  return {
    tenant,
    def,
    operation,
    subresource,
    kind,
    namespace,
    name,
    object,
    old,
    user,
    dryRun,
    warn,
    origin,
    reinvocation,
  };
}

/** A namespace counts as being in itself. */
function placed(admission: Admission): Admission {
  const { def, name, namespace } = admission;
  if (def.group !== '' || def.resource !== 'namespaces' || namespace === name) return admission;
  return { ...admission, namespace: name };
}
