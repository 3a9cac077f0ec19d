import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

test('a binding names a node', () => {
  kindTester('/v1/Binding').refuses([
    [{ target: { kind: 'Node', name: 'n' } }, []],
    [{ target: { name: 'n' } }, []],
    [
      { target: { kind: 'x' } },
      [
        'target.kind: Unsupported value: "x": supported values: "Node", "<empty>"',
        'target.name: Required value',
      ],
    ],
  ]);
});
