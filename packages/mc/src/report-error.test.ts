import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubeconfigError, TransportError } from '@flotilla/client';
import {
  forbiddenError,
  invalid,
  invalidObject,
  notFound,
  required,
  StatusError,
  unauthorized,
} from '@flotilla/machinery';
import { errorText, reportError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED'), {
  code: 'ECONNREFUSED',
  address: '127.0.0.1',
  port: 6443,
});

test("what servers and connections refuse is told in kubectl's words", () => {
  const cases: readonly [Error, string][] = [
    [new UsageError('unknown flag: --x'), 'error: unknown flag: --x'],
    [new Error('error: said already'), 'error: said already'],
    [
      notFound({ group: '', resource: 'pods' }, 'x'),
      'Error from server (NotFound): pods "x" not found',
    ],
    [unauthorized('Unauthorized'), 'error: You must be logged in to the server (Unauthorized)'],
    [
      forbiddenError({ group: '', resource: 'pods' }, 'x', 'no'),
      'Error from server (Forbidden): pods "x" is forbidden: no',
    ],
    [
      new StatusError(500, '', 'etcdserver: leader changed'),
      'Error from server: etcdserver: leader changed',
    ],
    [
      invalidObject({ group: 'apps', kind: 'Deployment' }, 'x', [
        invalid('spec.replicas', -1, 'must be greater than or equal to 0'),
      ]),
      'The Deployment "x" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      invalidObject({ group: 'apps', kind: 'Deployment' }, 'x', [
        required('spec.selector', ''),
        required('spec.template', ''),
      ]),
      'The Deployment "x" is invalid: \n* spec.selector: Required value\n* spec.template: Required value\n',
    ],
    [new StatusError(422, 'Invalid', 'no good'), 'The request is invalid: no good'],
    [
      new TransportError('unreachable', 'Cannot reach it', { cause: refused }),
      'The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?',
    ],
    [
      new TransportError('unreachable', 'Cannot reach it', {
        cause: new AggregateError([Object.assign(new Error('no'), { ...refused, address: '::1' })]),
      }),
      'The connection to the server [::1]:6443 was refused - did you specify the right host or port?',
    ],
    [
      new TransportError('timeout', 'Cannot connect to "https://x": it took more than 5 s'),
      'Unable to connect to the server: Cannot connect to "https://x": it took more than 5 s',
    ],
    [new KubeconfigError('context "x" does not exist'), 'error: context "x" does not exist'],
    [
      new KubeconfigError('invalid configuration: no good', { problems: ['no good'] }),
      'Error in configuration: no good',
    ],
  ];
  for (const [error, text] of cases) assert.equal(errorText(error), text);
});

test('what a server puts into its messages cannot command the terminal', () => {
  let told = '';
  const code = reportError(new StatusError(400, 'BadRequest', 'a\u001b[2Jb'), {
    err: (text) => {
      told += text;
    },
    env: {},
  });
  assert.equal(code, 1);
  assert.equal(told, 'Error from server (BadRequest): a^[[2Jb\n');
});
