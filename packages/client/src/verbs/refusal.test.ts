import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusalOf, statusError } from './refusal.ts';

const text = { 'content-type': 'text/plain; charset=utf-8' };
const json = { 'content-type': 'application/json' };
const subject = { method: 'GET', group: 'apps', resource: 'deployments', name: 'web' };

describe('a refusal', () => {
  test('keeps everything the server said', () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: { continue: 'token' },
      status: 'Failure',
      message: 'no',
      reason: 'SomethingNewer',
      details: { name: 'x', causes: [{ reason: 'r', field: 'spec' }], retryAfterSeconds: 3 },
      code: 418,
    };

    const error = refuse(418, json, JSON.stringify(status));

    assert.deepEqual(error.toStatus(), status);
  });

  // The texts of client-go's NewGenericServerResponse.
  for (const [code, method, body, reason, message] of [
    [404, 'GET', 'gone fishing', 'NotFound', 'the server could not find the requested resource'],
    [409, 'POST', '', 'AlreadyExists', 'the server reported a conflict'],
    [409, 'PUT', '', 'Conflict', 'the server reported a conflict'],
    [403, 'GET', 'User "eve" may not', 'Forbidden', 'User "eve" may not'],
    [
      418,
      'GET',
      'teapot',
      '',
      'the server responded with the status code 418 but did not return more information',
    ],
    [
      502,
      'GET',
      ' <html>"bad"</html>\n',
      'InternalError',
      'an error on the server ("<html>\\"bad\\"</html>") has prevented the request from succeeding',
    ],
    [503, 'GET', 'x', 'ServiceUnavailable', 'the server is currently unable to handle the request'],
    [
      429,
      'GET',
      'x',
      'TooManyRequests',
      'the server has received too many requests and has asked us to try again later',
    ],
  ] as const) {
    test(`with ${code} to ${method} that is no Status has client-go's words`, () => {
      const error = refusalOf(
        { status: code, headers: text, warnings: [], body: Buffer.from(body) },
        { ...subject, method },
      );

      assert.equal(error.reason, reason);
      assert.equal(error.message, `${message} (${method.toLowerCase()} deployments.apps web)`);
      assert.deepEqual(error.details?.causes, [
        { reason: 'UnexpectedServerResponse', message: body.trim() },
      ]);
    });
  }

  test('repeats no more than 2 KiB of a page, and nothing of what is no text', () => {
    const page = refuse(500, text, 'x'.repeat(5_000));
    assert.equal(page.details?.causes?.[0]?.message?.length, 2_048);
    const image = refuse(500, { 'content-type': 'image/png' }, 'PNG');
    assert.match(image.message, /^an error on the server \("unknown"\)/);
    const broken = refuse(500, json, '{"kind":"Sta');
    assert.match(broken.message, /^an error on the server \("unknown"\)/);
  });

  test('tells when to come back', () => {
    assert.equal(refuse(503, { ...text, 'retry-after': '7' }, '').details?.retryAfterSeconds, 7);
    const status = (details: object) => JSON.stringify({ status: 'Failure', code: 429, details });
    const head = { ...json, 'retry-after': '7' };
    assert.deepEqual(refuse(429, head, status({ name: 'x' })).details, {
      name: 'x',
      retryAfterSeconds: 7,
    });
    assert.equal(refuse(429, head, status({ retryAfterSeconds: 3 })).details?.retryAfterSeconds, 3);
    assert.equal(refuse(409, head, status({})).details?.retryAfterSeconds, undefined);
  });

  test('that says success is none', () => {
    const odd = refuse(500, json, '{"kind":"Status","status":"Success"}');
    assert.equal(odd.reason, 'InternalError');
  });
});

test('a Status without a code takes the answer’s', () => {
  assert.equal(statusError({ status: 'Failure' }, 410).code, 410);
});

function refuse(status: number, headers: Record<string, string>, body: string) {
  return refusalOf({ status, headers, warnings: [], body: Buffer.from(body) }, subject);
}
