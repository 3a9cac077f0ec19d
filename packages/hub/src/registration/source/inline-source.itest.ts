import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { jwt, type SourceHub, startSourceHub } from './testing/source-hub.ts';
import { base64, written } from './testing/written.ts';

const { certificate, key } = testPair();
const other = testPair('other');

let hub: SourceHub;
before(async () => {
  hub = await startSourceHub();
});
after(() => hub[Symbol.asyncDispose]());

describe('an inline credential', () => {
  const inline = (fields: object) => ({
    inline: {
      endpoint: 'https://api.example.com:6443',
      credentialType: 'ServiceAccountToken',
      insecureSkipTLSVerify: false,
      ...fields,
    },
  });
  const x509 = (clientCertData: string, clientKeyData: string) =>
    inline({ credentialType: 'X509Certificate', clientCertData, clientKeyData });

  test('REG-6 is decoded as it is', async () => {
    const found = await hub.resolve(
      inline({
        caData: base64(certificate),
        tokenData: base64('s3cret-token'),
        proxyURL: 'socks5://proxy:1080',
      }),
    );

    assert.deepEqual(written(found), {
      endpoint: 'https://api.example.com:6443',
      'ca.crt': certificate,
      token: 's3cret-token',
      'proxy-url': 'socks5://proxy:1080',
    });
    assert.deepEqual(
      [found.reason, found.description, found.resourceVersion, found.reads],
      ['InlineResolved', 'spec.credentialSource.inline', undefined, []],
    );
    const pair = written(await hub.resolve(x509(base64(certificate), base64(key))));
    assert.deepEqual([pair['tls.crt'], pair['tls.key'], pair['ca.crt']], [certificate, key, '']);
  });

  test('REG-39 has its token without a line end, and its base64 may have some', async () => {
    const data = base64('s3cret-token\n').replace(/^.{4}/, '$&\n');
    assert.equal(written(await hub.resolve(inline({ tokenData: data })))['token'], 's3cret-token');
  });

  test('REG-35 that is not encoded, or does not belong together, is told by its field', async () => {
    const refusals = [
      [
        inline({ tokenData: jwt({ s3cret: 1 }) }),
        'KubeconfigInvalid',
        /tokenData: it must be base64-encoded/,
      ],
      [
        inline({ tokenData: 's3cret token!' }),
        'KubeconfigInvalid',
        /tokenData: it must be base64-encoded/,
      ],
      [
        inline({ tokenData: base64('\x00\xff\x01') }),
        'KubeconfigInvalid',
        /tokenData: .*must be base64-encoded/,
      ],
      [
        inline({ tokenData: 's3cretToken' }),
        'KubeconfigInvalid',
        /tokenData: .*must be base64-encoded/,
      ],
      [inline({ tokenData: '' }), 'NoCredential', /tokenData is missing/],
      [inline({ tokenData: base64(' \n') }), 'NoCredential', /tokenData: it is empty/],
      [
        inline({ tokenData: 'ZXlKaGJHY2lPaUpT...' }),
        'KubeconfigInvalid',
        /tokenData: it is cut short/,
      ],
      [
        inline({ tokenData: base64('t'), caData: certificate }),
        'KubeconfigInvalid',
        /caData: it must be base64-encoded, and is PEM/,
      ],
      [
        inline({ tokenData: base64('t'), caData: base64('s3cret') }),
        'KubeconfigInvalid',
        /caData: it is not a PEM/,
      ],
      [
        x509(certificate, base64(key)),
        'KubeconfigInvalid',
        /clientCertData: it must be base64-encoded, and is PEM/,
      ],
      [
        x509(base64(certificate), base64(other.key)),
        'KeyPairMismatch',
        /the key is of another certificate/,
      ],
      [x509(base64(key), base64(certificate)), 'KubeconfigInvalid', /switched/],
      [
        x509(base64(certificate), base64('s3cret')),
        'KubeconfigInvalid',
        /clientKeyData: .*failed to find any PEM/,
      ],
      [
        inline({
          tokenData: base64('t'),
          caData: base64(certificate),
          insecureSkipTLSVerify: true,
        }),
        'KubeconfigInvalid',
        /caData: insecureSkipTLSVerify/,
      ],
    ] as const;
    for (const [source, reason, message] of refusals) {
      const problem = await hub.refuse(source, { allowInsecureTls: true });
      assert.deepEqual(
        [problem.reason, message.test(problem.message)],
        [reason, true],
        problem.message,
      );
      assert.doesNotMatch(problem.message, /s3cret/);
    }
  });

  test('REG-33 without verification needs the hub to allow it', async () => {
    const source = inline({ tokenData: base64('t'), insecureSkipTLSVerify: true });
    assert.equal((await hub.refuse(source)).reason, 'InsecureTLSNotAllowed');
    const found = await hub.resolve(source, { allowInsecureTls: true });
    assert.deepEqual(Object.keys(written(found)), ['endpoint', 'token']);
    const plain = inline({ endpoint: 'http://api', tokenData: base64('t') });
    assert.equal(
      (await hub.refuse(plain, { allowInsecureTls: true })).reason,
      'InsecureTLSNotAllowed',
    );
  });

  test('REG-36 is held to the same endpoints', async () => {
    const source = inline({ endpoint: 'https://169.254.169.254', tokenData: base64('t') });
    assert.equal((await hub.refuse(source)).reason, 'EndpointDenied');
  });
});
