import { type Client, Namespaces, Pods } from '@flotilla/client';
import type { KubeObject } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';

/** What is put on a member before it is asked. */
export interface PodOptions {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Service accounts and paths of new kinds are there a moment later. */
const PATIENT = { tolerates: () => true };

/** Creates a pod, once the namespace has its service account. */
export async function createPod(
  client: Client,
  name: string,
  { namespace = 'default', labels = {}, image = 'nginx:1', annotations = {} }: PodOptions = {},
): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, annotations },
    spec: { containers: [{ name: 'main', image }] },
  };
  await eventually(() => client.create(Pods, pod as KubeObject as never), undefined, PATIENT);
}

/** Creates a namespace. */
export async function createNamespace(client: Client, name: string): Promise<void> {
  await client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** A kind with a column that only wide output shows. */
export const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        additionalPrinterColumns: [
          { name: 'Text', type: 'string', jsonPath: '.spec.text' },
          { name: 'Detail', type: 'string', jsonPath: '.spec.detail', priority: 1 },
        ],
      },
    ],
  },
};

/** Teaches a member what a widget is, and gives it one. */
export async function createWidget(client: Client, name: string, spec: object): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await client.raw({ method: 'POST', path, body: WIDGETS }).catch((error: { code?: number }) => {
    if (error.code !== 409) throw error;
  });
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec };
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  await eventually(
    () => client.raw({ method: 'POST', path: widgets, body: widget }),
    undefined,
    PATIENT,
  );
}
