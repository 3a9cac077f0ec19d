import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransportError } from '@flotilla/client';
import { classify } from '../fan-out/classify.ts';
import { AccessError } from './access-error.ts';
import { PluginError } from './credentials/plugin-error.ts';

const route = {
  kind: 'properties',
  source: 'properties (aws)',
  server: 'https://m',
  command: 'aws',
  namespace: 'default',
  caSource: 'the profile',
  open: () => Promise.reject(new Error('not opened')),
} as const;

test('a route that leads nowhere once it is opened is told with its own status and hint', () => {
  assert.deepEqual(classify(new AccessError('broken', { hint: 'mend it' }), route), {
    status: 'noaccess',
    failure: { reason: 'NoAccess', message: 'broken', hint: 'mend it' },
  });
  assert.deepEqual(classify(new AccessError('no', { status: 'untrusted' }), route), {
    status: 'untrusted',
    failure: { reason: 'Untrusted', message: 'no' },
  });
});

test('MC-45 a missing command behind a failed request is told with how to get it', () => {
  const cause = new PluginError('getting credentials: exec: executable aws not found', {
    command: 'aws',
    isMissing: true,
    hint: 'install the AWS CLI',
  });
  const error = new TransportError('credential', 'Cannot get a credential for "https://m"', {
    cause,
  });

  assert.deepEqual(classify(error, route), {
    status: 'noaccess',
    failure: {
      reason: 'PluginNotFound',
      message: 'getting credentials: exec: executable aws not found',
      hint: 'install the AWS CLI',
    },
  });
});
