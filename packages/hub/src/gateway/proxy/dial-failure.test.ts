import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TransportError } from '@flotilla/client';
import { dialFailure } from './dial-failure.ts';
import { EndpointRefused } from './members.ts';

const place = { host: 'api.example.com', port: 6443 };

describe('a member that does not answer', () => {
  for (const [title, error, message] of [
    [
      'refuses connections',
      unreachable({ code: 'ECONNREFUSED', address: '10.0.0.1', port: 6443 }),
      'dial tcp 10.0.0.1:6443: connect: connection refused',
    ],
    [
      'is not known by its name',
      unreachable({ code: 'ENOTFOUND' }),
      'dial tcp: lookup api.example.com: no such host',
    ],
    [
      'is not there in time',
      new TransportError('timeout', 'no connection within 10 s'),
      'dial tcp api.example.com:6443: i/o timeout',
    ],
    [
      'has several addresses, none of which answers',
      new TransportError('unreachable', 'x', {
        cause: new AggregateError([
          coded({ code: 'ECONNREFUSED', address: '::1', port: 6443 }),
          coded({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 6443 }),
        ]),
      }),
      'dial tcp [::1]:6443: connect: connection refused',
    ],
    [
      'has a certificate of somebody unknown',
      new TransportError('tls', 'x', { cause: coded({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }) }),
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ],
    ['closes the connection', coded({ code: 'ECONNRESET' }), 'EOF'],
    [
      'is behind a proxy that is away',
      new TransportError('proxy', 'Cannot reach the proxy "http://proxy:3128": connection refused'),
      'proxyconnect tcp: Cannot reach the proxy "http://proxy:3128": connection refused',
    ],
  ] as const) {
    test(`is told of as Go would: it ${title}`, () => {
      const failure = dialFailure(error, place);
      assert.deepEqual([failure.code, failure.reason, failure.message], [500, '', message]);
    });
  }

  test('is told apart from one that must not be asked', () => {
    const failure = dialFailure(new EndpointRefused('Cannot use "x" as an endpoint'), place);
    assert.deepEqual([failure.code, failure.message], [403, 'Cannot use "x" as an endpoint']);
  });
});

function coded(fields: object): Error {
  return Object.assign(new Error('failed'), fields);
}

function unreachable(fields: object): TransportError {
  return new TransportError('unreachable', 'Cannot reach it', { cause: coded(fields) });
}
