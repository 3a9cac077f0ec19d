import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import 'reflect-metadata';
import * as peculiar from '@peculiar/x509';
import {
  createAuthority,
  derOf,
  issueClientCertificate,
  issueServingCertificate,
} from './certificates.ts';
import { CertificateRejected, clientCertificates } from './client-certificates.ts';

const validity = {
  notBefore: new Date('2026-01-01T00:00:00Z'),
  notAfter: new Date('2027-01-01T00:00:00Z'),
};
const now = new Date('2026-06-01T00:00:00Z');
const authority = createAuthority('ca-1', {
  notBefore: new Date('2025-01-01T00:00:00Z'),
  notAfter: new Date('2035-01-01T00:00:00Z'),
});
const { verify } = clientCertificates(() => authority.certificate);

describe('clientCertificates', () => {
  test('CN becomes the name, each O a group, and the fingerprint names the credential', () => {
    const { certificate } = issue('jane', ['dev', 'ops']);

    const user = verify(peerOf(certificate), now);

    const fingerprint = new X509Certificate(certificate).fingerprint256.replaceAll(':', '');
    assert.deepEqual(user, {
      name: 'jane',
      groups: ['dev', 'ops'],
      extra: {
        'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint.toLowerCase()}`],
      },
    });
  });

  test('no certificate and a certificate without a CN say nothing', () => {
    assert.equal(verify({ address: '' }, now), undefined);
    assert.equal(verify(peerOf(issue('', ['dev']).certificate), now), undefined);
  });

  test('validity is checked each time, also after the certificate was accepted', () => {
    const peer = peerOf(issue('jane', []).certificate);

    assert.equal(verify(peer, now)?.name, 'jane');
    assert.throws(
      () => verify(peer, new Date('2027-01-01T00:00:01Z')),
      isRejected(/has expired or is not yet valid.*is after/),
    );
    assert.throws(() => verify(peer, new Date('2025-12-31T00:00:00Z')), isRejected(/is before/));
    assert.equal(verify(peer, now)?.name, 'jane');
  });

  test('a certificate of another authority is refused, even one with the same name', () => {
    const impostor = createAuthority('ca-1', validity);
    const { certificate } = issueClientCertificate(impostor, {
      user: 'jane',
      groups: ['system:masters'],
      ...validity,
    });

    assert.throws(() => verify(peerOf(certificate), now), isRejected(/unknown authority/));
  });

  test('a serving certificate does not authenticate its server as a client', () => {
    const { certificate } = issueServingCertificate(authority, {
      commonName: 'admin',
      hosts: ['localhost'],
      ...validity,
    });

    assert.throws(() => verify(peerOf(certificate), now), isRejected(/incompatible key usage/));
  });

  test('a user certificate cannot sign another one', () => {
    const middle = issue('jane', []);
    const { certificate } = issueClientCertificate(middle, {
      user: 'root',
      groups: ['system:masters'],
      ...validity,
    });
    const peer = { ...peerOf(certificate), certificateChain: [derOf(middle.certificate)] };

    assert.throws(() => verify(peer, now), isRejected(/unknown authority/));
  });

  test('a certificate whose bytes were changed is refused', () => {
    const der = derOf(issue('jane', []).certificate);
    const at = der.indexOf('jane');
    der.write('josh', at);

    assert.throws(
      () => verify({ address: '', certificate: der }, now),
      isRejected(/unknown authority/),
    );
  });

  test('rubbish is refused', () => {
    const peer = { address: '', certificate: Buffer.from('rubbish') };

    assert.throws(() => verify(peer, now), isRejected(/malformed certificate/));
  });

  test('an authority is trusted while it is in the bundle and no longer', () => {
    const other = createAuthority('ca-2', validity);
    const bundle = { pem: authority.certificate + other.certificate };
    const dynamic = clientCertificates(() => bundle.pem);
    const peer = peerOf(issue('jane', []).certificate);

    assert.equal(dynamic.verify(peer, now)?.name, 'jane');
    bundle.pem = other.certificate;
    assert.throws(() => dynamic.verify(peer, now), isRejected(/unknown authority/));
  });

  test('verdicts are shared by connections: the second one verifies nothing', () => {
    const { certificate } = issue('jane', []);

    const first = verify(peerOf(certificate), now);
    const second = verify(peerOf(certificate), now);

    assert.equal(second, first);
  });
});

describe('intermediate authorities', () => {
  test('are followed when the client sends them, within the path length of the root', async () => {
    const { leaf, middle, root } = await chain({ rootPathLength: 1 });
    const verifier = clientCertificates(() => root);

    const user = verifier.verify(
      { address: '', certificate: leaf, certificateChain: [middle] },
      now,
    );

    assert.equal(user?.name, 'remote');
    assert.throws(
      () => clientCertificates(() => root).verify({ address: '', certificate: leaf }, now),
      isRejected(/unknown authority/),
    );
  });

  test('below a root that allows none are refused', async () => {
    const { leaf, middle, root } = await chain({ rootPathLength: 0 });
    const peer = { address: '', certificate: leaf, certificateChain: [middle] };

    assert.throws(
      () => clientCertificates(() => root).verify(peer, now),
      isRejected(/unknown authority/),
    );
  });
});

function issue(user: string, groups: string[]) {
  return issueClientCertificate(authority, { user, groups, ...validity });
}

function peerOf(pem: string) {
  return { address: '127.0.0.1', certificate: derOf(pem), certificateChain: [] };
}

function isRejected(message: RegExp) {
  return (error: unknown): boolean =>
    error instanceof CertificateRejected && message.test(error.message);
}

/** Root, intermediate and leaf of another implementation, which can do what ours need not. */
async function chain({ rootPathLength }: { rootPathLength: number }) {
  const alg = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const newKeys = () => crypto.subtle.generateKey(alg, true, ['sign', 'verify']);
  const [rootKeys, middleKeys, leafKeys] = [await newKeys(), await newKeys(), await newKeys()];
  const base = { ...validity, signingAlgorithm: alg };
  const root = await peculiar.X509CertificateGenerator.createSelfSigned({
    ...base,
    name: 'CN=root',
    keys: rootKeys,
    extensions: [new peculiar.BasicConstraintsExtension(true, rootPathLength, true)],
  });
  const middle = await peculiar.X509CertificateGenerator.create({
    ...base,
    subject: 'CN=middle',
    issuer: root.subject,
    publicKey: middleKeys.publicKey,
    signingKey: rootKeys.privateKey,
    extensions: [new peculiar.BasicConstraintsExtension(true, undefined, true)],
  });
  const leaf = await peculiar.X509CertificateGenerator.create({
    ...base,
    subject: 'CN=remote',
    issuer: middle.subject,
    publicKey: leafKeys.publicKey,
    signingKey: middleKeys.privateKey,
    extensions: [new peculiar.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.2'])],
  });
  return {
    root: root.toString('pem'),
    middle: Buffer.from(middle.rawData),
    leaf: Buffer.from(leaf.rawData),
  };
}
