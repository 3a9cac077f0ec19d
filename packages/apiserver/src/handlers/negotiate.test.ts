import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AnswerKind, errorFormat, negotiate } from './negotiate.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';

describe('what a client accepts', () => {
  test('is plain JSON when it does not say, or takes anything', () => {
    const plain = { format: 'json', view: 'object', viewVersion: 'v1' };
    for (const header of [undefined, '', '*/*', 'application/json', 'APPLICATION/JSON']) {
      assert.deepEqual(negotiate(header), plain, header);
    }
    assert.deepEqual(negotiate('application/*', 'groups'), plain);
  });

  test('is what kubectl lists first that can be served', () => {
    assert.deepEqual(negotiate(`${TABLE},application/json`, 'list'), {
      format: 'json',
      view: 'Table',
      viewVersion: 'v1',
    });
    assert.equal(
      negotiate('application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'list').viewVersion,
      'v1beta1',
    );
  });

  test('passes over protobuf, which is read but not written', () => {
    assert.equal(negotiate('application/vnd.kubernetes.protobuf,application/json').format, 'json');
  });

  test('is ordered by quality, then by place', () => {
    assert.equal(negotiate('application/json;q=0.5,application/yaml').format, 'yaml');
    assert.equal(negotiate('application/yaml;q=0.5,application/json;q=0.5').format, 'yaml');
    assert.equal(negotiate('application/yaml;q=nonsense,application/json;q=0.1').format, 'json');
  });

  test('falls back to the next clause when a view is unknown', () => {
    const header = 'application/json;as=Chart;v=v1;g=meta.k8s.io,application/json';
    assert.equal(negotiate(header, 'list').view, 'object');
  });

  test('is refused with the types there are', () => {
    refuses(
      'application/json;as=Chart;v=v1;g=meta.k8s.io',
      'object',
      `only the following media types are accepted: ${TYPES}`,
    );
    refuses(
      'application/json;as=Table;v=v2;g=meta.k8s.io',
      'list',
      `only the following media types are accepted: ${TYPES}`,
    );
    refuses(TABLE, 'document', `only the following media types are accepted: ${TYPES}`);
    refuses(
      'application/*',
      'object',
      `406: Not Acceptable\n\nAvailable representations: ${TYPES}`,
    );
    refuses('text/html', 'object', `406: Not Acceptable\n\nAvailable representations: ${TYPES}`);
    refuses(
      'application/yaml',
      'watch',
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
  });

  test('decides the language of errors without ever failing', () => {
    assert.equal(errorFormat('application/yaml;q=1, */*'), 'yaml');
    assert.equal(errorFormat('text/html'), 'json');
    assert.equal(errorFormat(undefined), 'json');
  });
});

function refuses(header: string, kind: AnswerKind, message: string): void {
  assert.throws(() => negotiate(header, kind), { code: 406, reason: 'NotAcceptable', message });
}
