import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '../../authn/certificates.ts';
import { kindTester } from './kind-tester.cases.ts';

const secrets = kindTester('/v1/Secret');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const docker = (text: string) => ({
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': base64(text) },
});
const dockerProblem = (problem: string) => [
  `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": ${problem}`,
];

test('stringData becomes data, which it overrides, and the type defaults to Opaque', () => {
  secrets.stores([
    [
      { data: { a: 'eA==', b: 'eQ==' }, stringData: { b: 'é' } },
      { data: { a: 'eA==', b: base64('é') }, type: 'Opaque' },
    ],
    [{}, { type: 'Opaque' }],
  ]);
});

test('every type asks for its keys', () => {
  secrets.refuses([
    [
      { type: 'kubernetes.io/service-account-token' },
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
    [{ type: 'kubernetes.io/dockercfg' }, ['data[.dockercfg]: Required value']],
    [{ type: 'kubernetes.io/dockerconfigjson' }, ['data[.dockerconfigjson]: Required value']],
    [
      { type: 'kubernetes.io/basic-auth' },
      ['data[username]: Required value', 'data[password]: Required value'],
    ],
    [{ type: 'kubernetes.io/basic-auth', stringData: { username: '' } }, []],
    [
      { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } },
      ['data[ssh-privatekey]: Required value'],
    ],
    [
      { type: 'kubernetes.io/tls' },
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    [{ type: 'example.com/own' }, []],
  ]);
});

test('a docker configuration must be a JSON object, refused in the words of Go', () => {
  secrets.refuses([
    [docker('{"auths":{}}'), []],
    [docker('not'), dockerProblem("invalid character 'o' in literal null (expecting 'u')")],
    [docker(''), dockerProblem('unexpected end of JSON input')],
  ]);
});

test('keys are file names and all data is at most 1 MiB', () => {
  secrets.refuses([
    [{ stringData: { '..': 'x' } }, [`data[..]: Invalid value: "..": must not be '..'`]],
    [
      { data: { a: base64('x'.repeat(1024 * 1024 + 1)) } },
      ['data: Too long: may not be more than 1048576 bytes'],
    ],
  ]);
});

test('the type of a secret is for good, and so is everything once it is immutable', () => {
  const sealed = 'field is immutable when `immutable` is set';
  secrets.plays([
    {
      object: { stringData: { a: 'b' } },
      steps: [
        { set: 'type', to: 'x', errors: ['type: Invalid value: "x": field is immutable'] },
        { set: 'stringData', to: { c: 'd' } },
        { set: 'immutable', to: true },
        { set: 'data', to: {}, errors: [`data: Forbidden: ${sealed}`] },
        { set: 'immutable', to: undefined, errors: [`immutable: Forbidden: ${sealed}`] },
      ],
    },
  ]);
});

test('a certificate that does not fit its key is warned about', () => {
  const validity = { notBefore: new Date('2026-01-01'), notAfter: new Date('2027-01-01') };
  const one = createAuthority('one', validity);
  const other = createAuthority('other', validity);
  const tls = (certificate: string, key: string) => ({
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': base64(certificate), 'tls.key': base64(key) },
  });
  secrets.warns([
    [tls(one.certificate, one.key), []],
    [tls(one.certificate, other.key), ['tls: private key does not match public key']],
    [tls('a', one.key), ['tls: failed to find any PEM data in certificate input']],
    [tls(one.certificate, 'a'), ['tls: failed to find any PEM data in key input']],
    [
      tls(one.key, one.certificate),
      [
        'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      ],
    ],
    [
      tls(one.certificate, one.certificate),
      ['tls: found a certificate rather than a key in the PEM for the private key'],
    ],
    [
      tls('-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n', one.key),
      ['x509: malformed certificate'],
    ],
    [
      tls(one.certificate, '-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----\n'),
      ['tls: failed to parse private key'],
    ],
    [{ type: 'Opaque', data: { 'tls.crt': 'YQ==' } }, []],
  ]);
});

test('a secret shows its type and how many keys it has, and is found by its type', () => {
  secrets.shows([[{ stringData: { a: 'b' }, type: 'a/b' }, ['x', 'a/b', 1, '0s']]]);
  assert.equal(secrets.behaviour.selectableFields?.['type']?.(secrets.create({})), 'Opaque');
});
