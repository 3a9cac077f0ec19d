import type { KubeObject } from '@flotilla/machinery';
import type { JsonSchemaProps } from '@flotilla/machinery/schema';
import type { KindSource } from './kind-source.ts';

/** The CustomResourceDefinition of a kind. */
export function crdOf(source: KindSource): KubeObject {
  const { group, version, kind, plural, singular } = source;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(source.shortNames.length === 0 ? {} : { shortNames: [...source.shortNames] }),
        ...(source.categories.length === 0 ? {} : { categories: [...source.categories] }),
      },
      scope: source.namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...columnsOf(source),
          schema: { openAPIV3Schema: wholeSchema(source) },
          subresources: { status: {} },
        },
      ],
    },
  };
}

/** Without any, the server shows the age alone. */
function columnsOf({ columns }: KindSource): object {
  if (columns.length === 0) return {};
  const additionalPrinterColumns = columns.map(({ wide = false, ...column }) =>
    wide ? { ...column, priority: 1 } : column,
  );
  return { additionalPrinterColumns };
}

function wholeSchema({ description, spec, status, rules }: KindSource): JsonSchemaProps {
  return {
    description,
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: spec.props,
      status: status.props,
    },
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}
