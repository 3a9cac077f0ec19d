import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseOutput } from './normalise-output.ts';

function clean(stdout: string, text = 'kubectl get pods', unordered = false): string {
  const command = { text, unordered };
  const context = { command, server: '127.0.0.1:7000', now: 0 };
  return normaliseOutput({ code: 0, stdout, stderr: '' }, context).stdout;
}

test('ages do not move the columns of a table', () => {
  assert.equal(
    clean('NAME   AGE    NODE\np      5s     n\n'),
    clean('NAME   AGE     NODE\np      2m11s   n\n'),
  );
  assert.notEqual(clean('cpu: 500m\n'), clean('cpu: 400m\n'));
});

test('indentation stays', () => {
  assert.equal(clean('a:\n    age: 5s\n'), 'a:\n    age: <age>\n');
});

test('explain keeps fields and types and loses the description texts', () => {
  const text =
    'KIND:       Pod\nVERSION:    v1\n\nDESCRIPTION:\n    Words.\n\nFIELDS:\n  spec\t<PodSpec>\n    Words.\n';
  assert.equal(
    clean(text, 'kubectl explain pod'),
    'KIND:       Pod\nVERSION:    v1\nFIELDS:\n  spec\t<PodSpec>',
  );
});

test('lines whose order is chance are sorted', () => {
  assert.equal(clean('b\na', 'kubectl auth can-i --list', true), 'a\nb');
});

test('a watch that the tool itself ended goes unmentioned, one that the server ended does not', () => {
  const warning = (why: string) =>
    `I1118 09:00:00.000001  42 reflector.go:568] "Warning: watch ended with error" err="unable to decode an event: ${why}"\n`;
  assert.equal(clean(`NAME\n${warning('context canceled')}app\n`), 'NAME\napp\n');
  assert.match(clean(warning('unexpected EOF')), /watch ended with error.*unexpected EOF/);
});
