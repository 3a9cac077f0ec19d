import assert from 'node:assert/strict';
import type { TestServer } from '../testing/start-in-memory.ts';

/** Where CRDs are created. */
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Where widgets of version 1 are. */
export const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const SCHEMA = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          color: { type: 'string', default: 'red' },
          size: { type: 'integer' },
          replicas: { type: 'integer' },
        },
      },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
};

/** One version of a CRD, stored and served unless told otherwise. */
export function version(name: string, rest: object = {}): object {
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: SCHEMA,
    subresources: { status: {} },
    ...rest,
  };
}

/** A CRD of widgets. */
export function widgets(spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com', ...metadata },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
      versions: [version('v1')],
      ...spec,
    },
  };
}

/** A widget. */
export function widget(name: string, spec: object = { size: 1 }, rest: object = {}): object {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec, ...rest };
}

/** Creates a CRD and waits until it is established. */
export async function define(server: TestServer, crd: object = widgets()): Promise<void> {
  const created = await server.send(`POST ${CRDS}`, { body: crd });
  assert.equal(created.status, 201, created.text());
  await server.api.settled();
}

/** Creates an object and gives it back. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
export async function make(server: TestServer, path: string, body: object): Promise<any> {
  const created = await server.send(`POST ${path}`, { body });
  assert.equal(created.status, 201, created.text());
  return created.json();
}

/** A merge patch; gives the object back. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
export async function merge(server: TestServer, path: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patched = await server.send(`PATCH ${path}`, { body, headers });
  assert.equal(patched.status, 200, patched.text());
  return patched.json();
}
