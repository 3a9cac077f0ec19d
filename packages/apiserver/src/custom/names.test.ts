import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { approvalOf } from './api-approval.ts';
import type { CrdNames, CustomResourceDefinition } from './crd.ts';
import { deprecationOf } from './deprecation.ts';
import { judgeNames } from './names.ts';

const WIDGET: CrdNames = {
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  listKind: 'WidgetList',
  shortNames: ['wd'],
};

describe('the names of a CRD', () => {
  test('are given to the first who asks', () => {
    const verdict = judgeNames(crd(WIDGET), []);

    assert.deepEqual(verdict.acceptedNames, WIDGET);
    assert.equal(verdict.namesAccepted.reason, 'NoConflicts');
    assert.equal(verdict.established.reason, 'Installing');
  });

  const conflicts: [Partial<CrdNames>, string, string][] = [
    [{ plural: 'widgets' }, 'PluralConflict', '"widgets" is already in use'],
    [{ singular: 'widget' }, 'SingularConflict', '"widget" is already in use'],
    [{ shortNames: ['x', 'wd'] }, 'ShortNamesConflict', '"wd" is already in use'],
    [
      { shortNames: ['wd', 'widget'] },
      'ShortNamesConflict',
      '["wd" is already in use, "widget" is already in use]',
    ],
    [{ kind: 'Widget' }, 'KindConflict', '"Widget" is already in use'],
    [{ listKind: 'WidgetList' }, 'ListKindConflict', '"WidgetList" is already in use'],
  ];
  for (const [names, reason, message] of conflicts) {
    test(`are refused with ${reason}, and the others given`, () => {
      const other = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', ...names };
      const verdict = judgeNames(crd(other), [crd(WIDGET, WIDGET)]);

      assert.equal(verdict.namesAccepted.status, 'False');
      assert.equal(verdict.namesAccepted.reason, reason);
      assert.equal(verdict.namesAccepted.message, message);
      assert.equal(verdict.established.reason, 'NotAccepted');
      assert.ok(Object.keys(verdict.acceptedNames).length > 1);
    });
  }

  test('that are its own already are no conflict', () => {
    const mine = crd({ ...WIDGET, shortNames: ['wd', 'w'] }, WIDGET);

    assert.deepEqual(judgeNames(mine, [mine]).acceptedNames.shortNames, ['wd', 'w']);
  });
});

describe('approval', () => {
  test('is asked of groups of the Kubernetes community alone', () => {
    assert.equal(approvalOf(crd(WIDGET)), undefined);
    for (const [annotation, reason] of [
      [undefined, 'MissingAnnotation'],
      ['unapproved, an experiment', 'UnapprovedAnnotation'],
      ['https://github.com/kubernetes/kubernetes/pull/1', 'ApprovedAnnotation'],
      ['somebody said so', 'InvalidAnnotation'],
    ] as const) {
      const asked = crd(WIDGET);
      const annotations =
        annotation === undefined ? {} : { 'api-approved.kubernetes.io': annotation };
      const inGroup = {
        ...asked,
        metadata: { ...asked.metadata, annotations },
        spec: { ...asked.spec, group: 'widgets.k8s.io' },
      };
      assert.equal(approvalOf(inGroup)?.reason, reason);
    }
  });
});

describe('a deprecated version', () => {
  test('names a better one, the most preferred of those that come before it', () => {
    const versions = ['v1alpha1', 'v1', 'v2', 'v3'].map((name) => ({
      name,
      served: name !== 'v3',
      storage: name === 'v1',
      deprecated: name === 'v1alpha1' || name === 'v2',
    }));
    const asked = crd(WIDGET);
    const several = { ...asked, spec: { ...asked.spec, versions } };
    const warning = (index: number) =>
      deprecationOf(several, versions[index] as (typeof versions)[0]);

    assert.equal(
      warning(0),
      'example.com/v1alpha1 Widget is deprecated; use example.com/v1 Widget',
    );
    assert.equal(warning(1), undefined);
    assert.equal(warning(2), 'example.com/v2 Widget is deprecated');
  });
});

function crd(names: CrdNames, acceptedNames?: CrdNames): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.example.com` },
    spec: { group: 'example.com', names, scope: 'Namespaced', versions: [] },
    ...(acceptedNames === undefined ? {} : { status: { acceptedNames } }),
  };
}
