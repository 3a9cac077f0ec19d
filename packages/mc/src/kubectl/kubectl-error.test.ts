import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../fan-out/classify.ts';
import type { Route } from '../fleet/route.ts';
import { hasComplaint, kubectlError, warningsIn } from './kubectl-error.ts';

const route = { kind: 'mapping', caSource: 'context "c1"', server: 'https://c1' } as Route;

function classified(stderr: string, code = 1): string {
  const { status, failure } = classify(kubectlError(stderr, code), route);
  return `${status} ${failure.reason}: ${failure.message}`;
}

// As kubectl 1.27 to 1.34 say it.
const cases: readonly [said: string, found: string][] = [
  ['Error from server (NotFound): pods "x" not found', 'absent NotFound: pods "x" not found'],
  [
    'Error from server (Forbidden): pods is forbidden: User "u" cannot list resource',
    'forbidden Forbidden: pods is forbidden: User "u" cannot list resource',
  ],
  [
    'error: You must be logged in to the server (Unauthorized)',
    'unauthorized Unauthorized: You must be logged in to the server (Unauthorized)',
  ],
  [
    'error: You must be logged in to the server (the server has asked for the client to provide credentials)',
    'unauthorized Unauthorized: You must be logged in to the server (the server has asked for the client to provide credentials)',
  ],
  ['Error from server: etcdserver: leader changed', 'error Error: etcdserver: leader changed'],
  ['Error from server (SomethingNew): who knows', 'error SomethingNew: who knows'],
  [
    'error: the server doesn\'t have a resource type "gadgets"',
    'absent NoSuchType: the server doesn\'t have a resource type "gadgets"',
  ],
  [
    'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?',
    'unreachable Unreachable: The connection to the server 127.0.0.1:1 was refused',
  ],
  [
    'Unable to connect to the server: dial tcp: lookup nowhere.invalid: no such host',
    'unreachable Unreachable: dial tcp: lookup nowhere.invalid: no such host',
  ],
  [
    'Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout',
    'timeout Timeout: dial tcp 10.0.0.1:443: i/o timeout',
  ],
  [
    'Unable to connect to the server: net/http: TLS handshake timeout',
    'timeout Timeout: net/http: TLS handshake timeout',
  ],
  [
    'Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed by unknown authority',
    'tls TLS: with the certificate authority of context "c1": tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ],
  [
    'Unable to connect to the server: getting credentials: exec: executable node failed with exit code 1',
    'noaccess Credential: getting credentials: exec: executable node failed with exit code 1',
  ],
  [
    'error: error from server (NotFound): pods "x" not found in namespace "default"',
    'absent NotFound: pods "x" not found in namespace "default"',
  ],
  [
    'The Deployment "web" is invalid: \n* spec.replicas: Invalid value: -1\n* spec.selector: Required value',
    'error Invalid: The Deployment "web" is invalid',
  ],
  ['error: unable to do it', 'error Error: unable to do it'],
  ['first\nerror: second\nthird', 'error Error: second'],
  ['only this', 'error Error: only this'],
  ['', 'error Error: kubectl ended with exit code 1'],
  ['Warning: old\n', 'error Error: kubectl ended with exit code 1'],
];
for (const [said, found] of cases) {
  test(`"${said}" is ${found.split(' ', 1).join()}`, () => {
    assert.equal(classified(said), found);
  });
}

test('why there is no credential counts before that there is none', () => {
  const said = `error: Cannot get a credential for "c1": getting credentials: exec: executable aws failed with exit code 255
Unable to connect to the server: getting credentials: exec: executable node failed with exit code 1
`;
  assert.match(classified(said), /^noaccess Credential: Cannot get a credential for "c1": .* 255$/);
});

test('lines of its log are nothing that kubectl says', () => {
  const log = 'E1118 00:00:00.000000   12 memcache.go:265] "Unhandled Error" err="couldn\'t"\n';
  const refused = 'The connection to the server h:1 was refused - did you specify it?\n';
  assert.match(classified(log.repeat(5) + refused), /^unreachable /);
  assert.equal(hasComplaint(log), false);
  assert.equal(hasComplaint(`${log}Warning: old\n`), false);
  assert.equal(hasComplaint(refused), true);
  assert.deepEqual(warningsIn(`${log}Warning: old\nWarning: older\n`), ['old', 'older']);
});
