import { type Client, ConfigMaps, CustomResourceDefinitions, Namespaces } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { PLACE } from './job.ts';
import { type Task, Tasks } from './task.ts';

const AT_ONCE = 16;

/** Teaches a server what tasks are, and makes as many of them with the settings that they name. */
export async function fill(client: Client, count: number): Promise<void> {
  const { namespace, settings } = PLACE;
  const { group, version, kind, plural } = Tasks;
  await client.create(CustomResourceDefinitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: 'task', listKind: 'TaskList' },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: SCHEMA },
        },
      ],
    },
  });
  await client.create(Namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await eventually(() => client.list(Tasks), Boolean, { tolerates: isNotFound });
  await inParallel(settings, (index) =>
    client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name: `settings-${index}` },
      data: { level: `${index}` },
    }),
  );
  await inParallel(count, (index) =>
    client.create(Tasks, {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { namespace, name: `task-${index}`, labels: { team: `team-${index % 7}` } },
      spec: { settings: `settings-${index % settings}` },
    } as unknown as Task),
  );
}

async function inParallel(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const work = async (): Promise<void> => {
    for (const index of indexes) await run(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const SCHEMA = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { settings: { type: 'string' } } },
    status: {
      type: 'object',
      properties: {
        round: { type: 'integer', format: 'int64' },
        setting: { type: 'string' },
        observedGeneration: { type: 'integer', format: 'int64' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: {
            type: 'object',
            required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
            properties: {
              type: { type: 'string' },
              status: { type: 'string' },
              reason: { type: 'string' },
              message: { type: 'string' },
              observedGeneration: { type: 'integer', format: 'int64' },
              lastTransitionTime: { type: 'string', format: 'date-time' },
            },
          },
        },
      },
    },
  },
};
