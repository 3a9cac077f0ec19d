import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { escapeHeaderKey, requestHeaders, requestPath, standingHeaders } from './request-head.ts';

describe('headers', () => {
  test('of an impersonation are those of client-go', () => {
    const headers = standingHeaders({
      userAgent: 'x',
      presented: { authorization: 'Bearer t' },
      impersonate: {
        user: 'jürgen',
        uid: '7',
        groups: ['a', 'b'],
        extra: { 'Example.com/scope': ['one', 'two'], 'a%b ü': ['c'] },
      },
    });

    assert.deepEqual(headers, [
      ['user-agent', 'x'],
      ['authorization', 'Bearer t'],
      ['impersonate-user', Buffer.from('jürgen').toString('latin1')],
      ['impersonate-uid', '7'],
      ['impersonate-group', 'a'],
      ['impersonate-group', 'b'],
      ['impersonate-extra-example.com%2fscope', 'one'],
      ['impersonate-extra-example.com%2fscope', 'two'],
      ['impersonate-extra-a%25b%20%c3%bc', 'c'],
    ]);
    assert.equal(escapeHeaderKey("!#$&'*+-.^_`|~aZ9/%"), "!#$&'*+-.^_`|~aZ9%2F%25");
  });

  test('that would begin another request are refused, and not shown', () => {
    const presented = { authorization: 'Bearer se\r\ncret' };

    assert.throws(
      () => standingHeaders({ userAgent: 'x', presented }),
      (error: Error) => /"authorization"/.test(error.message) && !/cret/.test(error.message),
    );
    for (const headers of [
      { 'x\r\n': 'a' },
      { x: 'a\nb' },
      { Upper: 'a' },
      { host: 'b' },
      { connection: 'x' },
    ]) {
      const request = { method: 'GET' as const, path: '/', headers };
      assert.throws(() => requestHeaders(request, false), { fault: 'malformed', wasNotSent: true });
    }
  });

  test('go with paths of printable characters only', () => {
    assert.equal(requestPath('/base', '/api?x=%20'), '/base/api?x=%20');
    for (const path of ['api', '/a b', '/a\r\nb', '/ä', '/a#b', '']) {
      assert.throws(() => requestPath('', path), { fault: 'malformed', wasNotSent: true });
    }
  });
});
