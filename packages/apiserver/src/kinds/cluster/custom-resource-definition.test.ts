import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '@flotilla/machinery';
import { kindTester } from '../core/kind-tester.cases.ts';

const tester = kindTester('apiextensions.k8s.io/v1/CustomResourceDefinition');
const anything = { openAPIV3Schema: { type: 'object' } };

describe('a custom resource definition', () => {
  test('gets the names, the conversion and the stored version it did not give', () => {
    const { spec, status } = tester.create(crd({})) as unknown as {
      spec: { names: Json; conversion: Json };
      status: { storedVersions: string[] };
    };

    assert.deepEqual(spec.names, {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
    });
    assert.deepEqual(spec.conversion, { strategy: 'None' });
    assert.deepEqual(status.storedVersions, ['v1']);
  });

  test('cannot bring its own status', () => {
    const { status } = tester.create({
      ...crd({}),
      status: { storedVersions: ['v7'] },
    }) as unknown as {
      status: { storedVersions: string[] };
    };

    assert.deepEqual(status.storedVersions, ['v1']);
  });

  test('is refused with the texts of the real server', () => {
    tester.refuses([
      [crd({}), []],
      [
        crd({ group: 'example' }, 'widgets.example'),
        ['spec.group: Invalid value: "example": should be a domain with at least one dot'],
      ],
      [
        crd({}, 'gadgets.example.com'),
        [
          'metadata.name: Invalid value: "gadgets.example.com": must be spec.names.plural+"."+spec.group',
        ],
      ],
      [
        crd({ scope: 'Some' }),
        ['spec.scope: Unsupported value: "Some": supported values: "Cluster", "Namespaced"'],
      ],
      [
        crd({ versions: [{ name: 'v1', served: true, storage: true }] }),
        ['spec.versions[0].schema.openAPIV3Schema: Required value'],
      ],
      [
        crd({
          versions: [
            version('v1', { additionalPrinterColumns: [{ name: '', type: 'odd', jsonPath: 'x' }] }),
          ],
        }),
        [
          'spec.additionalPrinterColumns[0].name: Required value',
          'spec.additionalPrinterColumns[0].type: Invalid value: "odd": must be one of boolean,date,integer,number,string',
          'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "x": must be a simple json path starting with .',
        ],
      ],
      [
        crd({
          versions: [
            version('v1', {
              subresources: { scale: { specReplicasPath: '.status.r', statusReplicasPath: '' } },
            }),
          ],
        }),
        [
          'spec.subresources.scale.specReplicasPath: Invalid value: ".status.r": should be a json path under .spec',
          'spec.subresources.scale.statusReplicasPath: Required value',
        ],
      ],
      [
        crd({ versions: [version('v1', { selectableFields: [{ jsonPath: '.nope' }] })] }),
        [
          'spec.selectableFields[0].jsonPath: Invalid value: ".nope": is an invalid path: does not refer to a valid field',
        ],
      ],
      [
        crd({ versions: [version('v1', { deprecationWarning: 'old' })] }),
        [
          'spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions',
        ],
      ],
      [
        crd({ conversion: { strategy: 'Webhook' } }),
        [
          'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
          'spec.conversion.conversionReviewVersions: Required value',
        ],
      ],
      [
        crd({ preserveUnknownFields: true }),
        [
          'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
        ],
      ],
      [
        crd({ group: 'x.k8s.io' }, 'widgets.x.k8s.io'),
        [
          'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
        ],
      ],
    ]);
  });

  test('names each version in errors only where versions differ', () => {
    const bad = { openAPIV3Schema: { type: 'string' } };
    const versions = (second: Json) => [
      version('v1', { schema: bad }),
      { ...version('v2', { schema: second }), storage: false },
    ];

    tester.refuses([
      [
        crd({ versions: versions(bad) }),
        [
          'spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
        ],
      ],
      [
        crd({ versions: versions(anything) }),
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
        ],
      ],
    ]);
  });

  test('is warned of formats that nobody checks', () => {
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: { a: { type: 'string', format: 'odd' }, b: { type: 'string', format: 'date' } },
      },
    };

    tester.warns([[crd({ versions: [version('v1', { schema })] }), ['unrecognized format "odd"']]]);
  });

  test('keeps its group and plural, and versions that objects are stored in', () => {
    tester.plays([
      {
        object: crd({}),
        steps: [
          {
            set: 'spec/group',
            to: 'other.com',
            errors: ['spec.group: Invalid value: "other.com": field is immutable'],
          },
          {
            set: 'spec/versions',
            to: [version('v2', {})],
            errors: [
              'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
            ],
          },
          { set: 'spec/names/kind', to: 'Gadget' },
        ],
      },
    ]);
  });

  test('is shown with its name and when it was made', () => {
    tester.shows([[crd({}), ['widgets.example.com', '2026-01-02T03:04:05Z']]]);
  });
});

function version(name: string, more: Json): Json {
  return { name, served: true, storage: true, schema: anything, ...more };
}

function crd(spec: Json, name = 'widgets.example.com'): Json {
  return {
    metadata: { name },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [version('v1', {})],
      ...spec,
    },
  };
}
