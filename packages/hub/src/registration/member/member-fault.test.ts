import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TransportError, type TransportFault } from '@flotilla/client';
import { StatusError } from '@flotilla/machinery';
import { memberFault } from './member-fault.ts';

const asked = { endpoint: 'https://member.example.com:443', timeout: '7s' };

function reason(fault: TransportFault, cause?: unknown): string | undefined {
  return memberFault(new TransportError(fault, 'Cannot reach it', { cause }), asked)?.reason;
}

describe('why a member cannot be reached', () => {
  test('follows from what the transport says', () => {
    assert.equal(reason('unreachable', { code: 'ECONNREFUSED' }), 'DialFailed');
    assert.equal(reason('unreachable', { code: 'ENOTFOUND' }), 'DNSFailed');
    assert.equal(reason('unreachable', { code: 'ETIMEDOUT' }), 'Timeout');
    const several = new AggregateError([{ code: 'ECONNREFUSED' }, { code: 'ENETUNREACH' }]);
    assert.equal(reason('unreachable', several), 'DialFailed');
    assert.equal(reason('timeout'), 'Timeout');
    assert.equal(reason('tls'), 'TLSVerificationFailed');
    assert.equal(reason('proxy'), 'ProxyFailed');
    for (const fault of ['malformed', 'too-large', 'redirect', 'closed'] as const) {
      assert.equal(reason(fault), 'ServerError');
    }
  });

  test('is nothing when it is we who gave up, or who are broken', () => {
    assert.equal(reason('aborted'), undefined);
    assert.equal(memberFault(new TypeError('a bug'), asked), undefined);
  });

  test('is told with the endpoint and the time limit', () => {
    const refused = new StatusError(503, 'ServiceUnavailable', 'overloaded');
    const fault = memberFault(refused, asked);
    assert.equal(fault?.reason, 'ServerError');
    assert.match(fault?.message ?? '', /https:\/\/member\.example\.com:443.*503.*7s/);
  });
});
