import type { Access, Client, ConfigMap } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import { type ControllerDefinition, defineController, untilChanged } from '@flotilla/runtime';
import { connectClient } from '../testing/connect-client.ts';
import { defineGadgets, type Gadget, Gadgets, gadgetConditions } from './gadgets.ts';

/** Gives a server without gadgets. */
export type StartServer = () => Promise<AsyncDisposable & { readonly access: Access }>;

/** A controller of gadgets that does what gadgets need, but for what a case says. */
export function define(
  definition: Partial<ControllerDefinition<Gadget, typeof gadgetConditions>>,
): ReturnType<typeof defineController> {
  return defineController({
    name: 'gadgets',
    for: Gadgets,
    conditions: gadgetConditions,
    reconcile: (pass) => {
      pass.mark('Configured', 'Read', 'Read');
      pass.mark('Built', 'Made', `Size ${pass.object.spec.size}`);
      pass.object.status.size = pass.object.spec.size ?? 0;
      return untilChanged;
    },
    ...definition,
  });
}

/** A client of a server that now knows gadgets. */
export async function connect(server: { readonly access: Access }): Promise<Client> {
  const client = connectClient(server.access);
  await defineGadgets(client);
  return client;
}

/** The place of a gadget. */
export const key = (name: string) => ({ namespace: 'default', name });

/** Changes what a gadget should be. */
export const patchSpec = (client: Client, name: string, spec: Gadget['spec']) =>
  client.patch(Gadgets, key(name), { type: 'merge', body: { spec } });

/** Changes a gadget's metadata. */
export const label = (client: Client, name: string, by: string) =>
  client.patch(Gadgets, key(name), { type: 'merge', body: { metadata: { labels: { by } } } });

/** An empty ConfigMap. */
export const configMap = (name: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name },
});

/** Whether a gadget is no longer there. */
export const isGone = (client: Client, name: string) =>
  client.get(Gadgets, key(name)).then(
    () => false,
    (error: unknown) => {
      if (isNotFound(error)) return true;
      throw error;
    },
  );
