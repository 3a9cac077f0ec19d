import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeEnvelope, requestBody } from './request-body.ts';

test('the protobuf notation makes the envelope that Kubernetes reads', () => {
  const bytes = encodeEnvelope({
    apiVersion: 'v1',
    kind: 'Pod',
    fields: { 1: { 1: 'a' }, 3: 300 },
  });
  assert.equal(
    bytes.toString('hex'),
    // magic, typeMeta {v1, Pod}, raw {1: {1: "a"}, 3: 300}
    '6b387300' + '0a090a0276311203506f64' + '12080a030a016118ac02',
  );
});

test('hostile bodies are put together from parts', () => {
  const body = requestBody({
    verb: 'POST',
    path: '/',
    bytes: ['a', { repeat: '[', times: 3 }, { hex: 'ff 00' }],
  });
  assert.equal(body?.bytes.toString('latin1'), 'a[[[\xff\x00');
});
