import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson } from '../json/parse-json.ts';
import { SAMPLE_OBJECT } from '../testing/sample-object.ts';
import { executeGoTemplate } from './execute.ts';
import { parseGoTemplate } from './parse.ts';
import { FAILING, FAILING_STRICTLY, PRINTED, UNREADABLE } from './testing/samples.ts';

const { value: sample } = parseJson(SAMPLE_OBJECT);

describe('a template', () => {
  for (const [template, printed] of PRINTED) {
    test(`${template} prints what kubectl prints`, () => {
      assert.equal(executeGoTemplate(parseGoTemplate(template), sample), printed);
    });
  }

  for (const [template, message] of UNREADABLE) {
    test(`${template} cannot be read, in kubectl's words`, () => {
      assert.throws(() => parseGoTemplate(template), { name: 'ParseError', message });
    });
  }

  for (const [template, message] of FAILING) {
    test(`${template} cannot be run, in kubectl's words`, () => {
      const parsed = parseGoTemplate(template);
      assert.throws(() => executeGoTemplate(parsed, sample), { name: 'GoTemplateError', message });
    });
  }

  for (const [template, message] of FAILING_STRICTLY) {
    test(`${template} fails where missing keys are not allowed`, () => {
      const parsed = parseGoTemplate(template);
      assert.throws(() => executeGoTemplate(parsed, sample, { allowMissingKeys: false }), {
        message,
      });
    });
  }
});

test('a template that includes itself ends with an error', () => {
  const parsed = parseGoTemplate('{{define "t"}}{{template "t" .}}{{end}}{{template "t" .}}');

  assert.throws(() => executeGoTemplate(parsed, sample), /exceeded maximum template depth/);
});

test('errors tell line and column', () => {
  const parsed = parseGoTemplate('a\n  {{.kind}}\n  {{index .kind 99}}');

  assert.throws(() => executeGoTemplate(parsed, sample), {
    message:
      'template: output:3:4: executing "output" at <index .kind 99>: error calling index: index out of range: 99',
  });
});
