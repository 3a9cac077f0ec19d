import assert from 'node:assert/strict';
import { type Client, type ConfigMap, ConfigMaps } from '@flotilla/client';
import {
  defineKind,
  isNotFound,
  type KubeObject,
  StatusError,
  systemClock,
} from '@flotilla/machinery';

/** A kind of the cases' own, with room for anything. */
export const Widgets = defineKind({
  group: 'cases.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
});

/** Waits until a custom kind can be listed. */
export async function served(client: Client, plural = 'widgets'): Promise<void> {
  const kind = { ...Widgets, plural };
  for (let tries = 0; ; tries++) {
    try {
      await client.list(kind);
      return;
    } catch (error) {
      if (!isNotFound(error) || tries === 100) throw error;
      await systemClock.wait(50);
    }
  }
}

/** The first so many. */
export async function take<T>(events: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

/** What a server refuses with; fails when it does not. */
export async function refusal(work: Promise<unknown>): Promise<StatusError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'The server did not refuse' });
}

/** Names of the ConfigMaps in a namespace. */
export async function namesIn(client: Client, namespace: string): Promise<(string | undefined)[]> {
  const { items } = await client.list(ConfigMaps, { namespace });
  return items.map(({ metadata }) => metadata.name);
}

/** A ConfigMap to be created. */
export function configMap(
  namespace: string,
  name: string,
  data?: Record<string, string>,
): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name },
    ...(data === undefined ? {} : { data }),
  };
}

/** A Deployment of one pod. */
export function deployment(namespace: string, name: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'example.com/image' }] },
      },
    },
  };
}

/** A Widget without a spec. */
export function namedWidget(namespace: string, name: string): KubeObject {
  return {
    apiVersion: 'cases.example.com/v1',
    kind: 'Widget',
    metadata: { namespace, name },
  };
}

/** What makes Widgets, or another kind like them, a kind. */
export function widgetDefinition(singular = 'widget') {
  const kind = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.cases.example.com` },
    spec: {
      group: 'cases.example.com',
      scope: 'Namespaced',
      names: {
        plural: `${singular}s`,
        singular,
        kind,
        shortNames: singular === 'widget' ? ['wd'] : [],
        categories: ['all'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
}
