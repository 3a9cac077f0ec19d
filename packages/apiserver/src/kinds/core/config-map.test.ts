import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const configMaps = kindTester('/v1/ConfigMap');
const badKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const sealed = 'field is immutable when `immutable` is set';

test('keys are file names, each in one of the two maps, and all data is at most 1 MiB', () => {
  configMaps.refuses([
    [{ data: { a: 'b' }, binaryData: { c: 'YQ==' } }, []],
    [{ data: { 'a b': 'c' } }, [`data[a b]: Invalid value: "a b": ${badKey}`]],
    [
      { data: { a: 'b' }, binaryData: { a: 'YQ==' } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [{ data: { a: 'x'.repeat(1024 * 1024) } }, []],
    [
      { data: { a: 'x'.repeat(1024 * 1024 - 2) }, binaryData: { b: 'YWFh' } },
      ['[]: Too long: may not be more than 1048576 bytes'],
    ],
  ]);
});

test('an immutable ConfigMap can neither change nor become mutable', () => {
  configMaps.plays([
    {
      object: { data: { a: 'b' } },
      steps: [
        { set: 'data/a', to: 'c' },
        { set: 'immutable', to: true },
        { set: 'metadata/labels', to: { a: 'b' } },
        { set: 'data/a', to: 'd', errors: [`data: Forbidden: ${sealed}`] },
        { set: 'binaryData', to: { z: 'YQ==' }, errors: [`binaryData: Forbidden: ${sealed}`] },
        { set: 'immutable', to: false, errors: [`immutable: Forbidden: ${sealed}`] },
      ],
    },
  ]);
});

test('a ConfigMap shows how many keys it has', () => {
  configMaps.shows([
    [{ data: { a: 'b', c: 'd' }, binaryData: { e: 'YQ==' } }, ['x', 3, '0s']],
    [{}, ['x', 0, '0s']],
  ]);
});
