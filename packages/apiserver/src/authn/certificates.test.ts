import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import 'reflect-metadata';
import * as peculiar from '@peculiar/x509';
import {
  API_SERVER_HOSTS,
  createAuthority,
  derOf,
  hostKey,
  issueClientCertificate,
  issueServingCertificate,
  loadAuthority,
} from './certificates.ts';
import { parseCertificate } from './parse-certificate.ts';

const validity = {
  notBefore: new Date('2026-01-01T00:00:00Z'),
  notAfter: new Date('2036-01-01T00:00:00Z'),
};
const authority = createAuthority('root-ca', validity);

describe('authorities', () => {
  test('are self-signed and may sign end certificates only', () => {
    const x509 = new X509Certificate(authority.certificate);
    const parsed = parseCertificate(x509.raw);

    assert.equal(x509.verify(x509.publicKey), true);
    assert.equal(x509.ca, true);
    assert.equal(x509.subject, 'CN=root-ca');
    assert.deepEqual([parsed.isAuthority, parsed.pathLength, parsed.mayCertify], [true, 0, true]);
  });

  test('come back from their PEM form as they were', () => {
    const { certificate, key } = authority;

    assert.deepEqual(loadAuthority({ certificate, key }), authority);
  });

  test('an end certificate is refused as an authority', () => {
    const client = issueClientCertificate(authority, { user: 'u', groups: [], ...validity });

    assert.throws(() => loadAuthority(client), /it may not sign others/);
  });
});

describe('serving certificates', () => {
  const serving = issueServingCertificate(authority, {
    commonName: 'root-apiserver',
    hosts: [...API_SERVER_HOSTS, 'hub.example.com', 'fd00::1:2', '192.0.2.7'],
    ...validity,
  });
  const x509 = new X509Certificate(serving.certificate);

  test('cover every name and address of the API server', () => {
    for (const host of ['localhost', 'kubernetes.default.svc.cluster.local', 'hub.example.com']) {
      assert.equal(x509.checkHost(host), host);
    }
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', 'fd00::1:2', '192.0.2.7']) {
      assert.equal(x509.checkIP(address), address);
    }
    assert.equal(x509.checkIP('192.0.2.8'), undefined);
  });

  test('are signed by the authority for the key that comes with them', () => {
    const ca = new X509Certificate(authority.certificate);

    assert.equal(x509.checkIssued(ca), true);
    assert.equal(x509.verify(ca.publicKey), true);
    assert.equal(x509.checkPrivateKey(createPrivateKey(serving.key)), true);
    assert.deepEqual(x509.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  test('read the same with another implementation', async () => {
    const theirs = new peculiar.X509Certificate(serving.certificate);
    const ca = new peculiar.X509Certificate(authority.certificate);

    assert.equal(theirs.issuer, 'CN=root-ca');
    assert.equal(theirs.notBefore.toISOString(), '2026-01-01T00:00:00.000Z');
    assert.equal(theirs.notAfter.toISOString(), '2036-01-01T00:00:00.000Z');
    assert.equal(await theirs.verify({ publicKey: ca, signatureOnly: true }), true);
    const names = theirs.getExtension(peculiar.SubjectAlternativeNameExtension)!;
    assert.equal(names.names.items.length, API_SERVER_HOSTS.length + 3);
  });

  test('every serial number is new', () => {
    const request = { commonName: 'x', hosts: ['localhost'], ...validity };
    const serials = Array.from({ length: 50 }, () => {
      const { certificate } = issueServingCertificate(authority, request);
      return parseCertificate(derOf(certificate)).serialNumber;
    });

    assert.equal(new Set(serials).size, 50);
    assert.ok(serials.every((serial) => serial.length === 32));
  });
});

describe('client certificates', () => {
  test('carry the user as CN and the groups as O, whatever characters they hold', () => {
    const user = 'jürgen, CN=admin+O=system:masters\n"x"';
    const groups = ['dev=ops', 'a/b', '名前'];
    const { certificate } = issueClientCertificate(authority, { user, groups, ...validity });
    const parsed = parseCertificate(derOf(certificate));

    assert.equal(parsed.commonName, user);
    assert.deepEqual(parsed.organizations, groups);
    assert.deepEqual(parsed.extendedKeyUsages, ['1.3.6.1.5.5.7.3.2']);
    assert.equal(parsed.isAuthority, false);
  });

  test('times after 2049 are written in the long form', () => {
    const notAfter = new Date('2051-02-03T04:05:06Z');
    const { certificate } = issueClientCertificate(authority, {
      user: 'u',
      groups: [],
      notBefore: validity.notBefore,
      notAfter,
    });

    assert.equal(parseCertificate(derOf(certificate)).notAfter, notAfter.getTime());
    assert.equal(new X509Certificate(certificate).validTo, 'Feb  3 04:05:06 2051 GMT');
  });
});

describe('parseCertificate', () => {
  test('refuses every truncation and survives every flipped byte', () => {
    const der = derOf(authority.certificate);
    for (let length = 0; length < der.length; length += 1) {
      assert.throws(() => parseCertificate(der.subarray(0, length)));
    }
    for (let at = 0; at < der.length; at += 1) {
      const broken = Buffer.from(der);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      try {
        parseCertificate(broken);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    }
  });

  test('hostKey gives addresses in the form certificates hold them', () => {
    assert.equal(hostKey('127.0.0.1'), '7f000001');
    assert.equal(hostKey('::ffff:1.2.3.4'), '00000000000000000000ffff01020304');
    assert.equal(hostKey('example.com'), 'example.com');
  });
});
