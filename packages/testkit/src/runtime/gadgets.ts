import { type Client, CustomResourceDefinitions } from '@flotilla/client';
import { defineKind, isAlreadyExists, type KubeObject } from '@flotilla/machinery';
import { type Condition, type ConditionSet, findCondition } from '@flotilla/runtime';
import { eventually } from '../eventually.ts';

/** A kind for tests of controllers. */
export interface Gadget extends KubeObject {
  spec: { suspend?: boolean; size?: number; config?: string };
  status: {
    observedGeneration?: number;
    phase?: string;
    size?: number;
    conditions?: Condition[];
  };
}

/** The gadgets of a test. */
export const Gadgets = defineKind<Gadget>({
  group: 'test.flotilla.dev',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  namespaced: true,
});

/** What gadgets report. */
export const gadgetConditions = {
  Configured: ['Read', 'ConfigMissing', 'ConfigWrong', 'NotTried'],
  Built: ['Made', 'TooBig', 'Unreachable'],
  Polished: { reasons: ['Shiny', 'Dull'], gatesReady: false },
} as const satisfies ConditionSet;

/** Teaches a server what gadgets are, unless it knows. */
export async function defineGadgets(client: Client): Promise<void> {
  const { group, version, plural, kind } = Gadgets;
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: 'gadget' },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
  await client.create(CustomResourceDefinitions, definition).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await eventually(
    () => client.get(CustomResourceDefinitions, { name: `${plural}.${group}` }),
    ({ status }) =>
      (status?.conditions ?? []).some(
        (each) => each.type === 'Established' && each.status === 'True',
      ),
  );
}

/** A gadget as a user writes it. */
export function gadget(name: string, spec: Gadget['spec'] = {}): Gadget {
  return {
    apiVersion: 'test.flotilla.dev/v1',
    kind: 'Gadget',
    metadata: { name, namespace: 'default' },
    spec,
  } as Gadget;
}

/** Type and reason of each condition that says something about a gadget. */
export function reasons({ status }: Gadget): Record<string, string> {
  return Object.fromEntries((status?.conditions ?? []).map(({ type, reason }) => [type, reason]));
}

/** Waits for a gadget's Ready to have this reason. */
export function untilReady(client: Client, name: string, reason: string): Promise<Gadget> {
  return eventually(
    () => client.get(Gadgets, { namespace: 'default', name }),
    ({ status }) => findCondition(status?.conditions ?? [], 'Ready')?.reason === reason,
  );
}
