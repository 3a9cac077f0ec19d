import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCategory, findResource } from './find-resource.ts';
import type { ApiResource, ApiSurface } from './surface.ts';

const surface: ApiSurface = {
  failed: [],
  groups: [
    group('', { v1: [resource('services', 'Service', ['svc'], ['all'])] }),
    group('apps', {
      v1: [resource('deployments', 'Deployment', ['deploy'], ['all'])],
      v1beta1: [
        resource('deployments', 'Deployment', ['deploy'], ['all']),
        resource('olds', 'Old', ['svc', 'o']),
      ],
    }),
    group('serving.knative.dev', { v1: [resource('services', 'Service', ['ksvc', 'deploy'])] }),
    group('v1.odd', { v1: [resource('things', 'OddThing', ['th'])] }),
    group('short.example.com', { v1: [resource('ksvc', 'Ksvc', [])] }),
  ],
};

for (const [text, wanted] of [
  ['services', 'services.v1.'],
  ['SERVICE', 'services.v1.'],
  ['svc', 'services.v1.'],
  ['svc.apps', 'olds.v1beta1.apps'],
  ['o', 'olds.v1beta1.apps'],
  ['deploy', 'deployments.v1.apps'],
  ['deploy.serving.knative.dev', 'services.v1.serving.knative.dev'],
  ['deployments.v1beta1.apps', 'deployments.v1beta1.apps'],
  ['deployments.v2.apps', undefined],
  ['services.serving', 'services.v1.serving.knative.dev'],
  ['services.v1.serving', undefined],
  ['services.v1.', 'services.v1.'],
  ['things.v1.odd', 'things.v1.v1.odd'],
  ['things.v1.v1.odd', 'things.v1.v1.odd'],
  ['OddThing', 'things.v1.v1.odd'],
  ['oddthing.v1.odd', 'things.v1.v1.odd'],
  // A full name wins over a short one, whatever their priority.
  ['ksvc', 'ksvc.v1.short.example.com'],
  ['SVC', undefined],
  ['', undefined],
  ['.apps', undefined],
] as const) {
  test(`"${text}" is ${wanted ?? 'nothing'}`, () => {
    const found = findResource(surface, text);

    assert.equal(found && `${found.plural}.${found.version}.${found.group}`, wanted);
  });
}

test('a category has each resource once, in its preferred version', () => {
  assert.deepEqual(
    findCategory(surface, 'all').map(({ plural, version }) => [plural, version]),
    [
      ['services', 'v1'],
      ['deployments', 'v1'],
    ],
  );
  assert.deepEqual(findCategory(surface, 'none'), []);
});

// oxlint-disable-next-line max-params -- a table of these reads best in a row
function resource(
  plural: string,
  kind: string,
  shortNames: string[],
  categories: string[] = [],
): Omit<ApiResource, 'group' | 'version'> {
  const singular = kind === 'OddThing' ? 'thing' : kind.toLowerCase();
  const rest = { verbs: [], subresources: [], namespaced: true };
  return { plural, kind, singular, shortNames, categories, ...rest };
}

function group(name: string, versions: Record<string, Omit<ApiResource, 'group' | 'version'>[]>) {
  return {
    name,
    versions: Object.entries(versions).map(([version, resources]) => ({
      version,
      resources: resources.map((one) => ({ ...one, group: name, version })),
    })),
  };
}
