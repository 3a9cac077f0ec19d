import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { x509 } from '@flotilla/machinery';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { kubeconfig } from '../source/testing/source-hub.ts';
import { base64, conditionOf, says } from '../testing/builders.ts';
import type { StartServer } from '../testing/world.ts';
import { watchDials } from './testing/dials.ts';
import { type HostileHub, SECRET, startHostileHub } from './testing/hostile-hub.ts';
import { listen, setTraps } from './testing/traps.ts';

/** A kubeconfig, and what its registration says of it. */
type Hostile = readonly [name: string, text: string, says: RegExp];

const fill = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
const named = (server: string, more = '') => kubeconfig({ cluster: `server: "${server}"${more}` });

/** Registers all of them at once, and waits until each is judged. */
async function judgeAll(hub: HostileHub, all: readonly Hostile[]): Promise<void> {
  for (const [name, text] of all) await hub.register(name, text);
  for (const [name, , wanted] of all) {
    const judged = await hub.until(name, ({ status }) => status?.phase === 'Failed');
    assert.match(says(judged, 'SourceResolved'), wanted, `${name}: ${judged.status?.message}`);
    const message = conditionOf(judged, 'SourceResolved')?.message ?? '';
    assert.ok(message.length > 0 && message.length <= 1024, `${name}: ${message.length}`);
    assert.equal(await hub.hasSecret(name), false, name);
  }
  const told = await hub.told();
  assert.ok(!told.includes(SECRET), context(told));
}

function context(told: string): string {
  const at = told.indexOf(SECRET);
  return told.slice(Math.max(0, at - 300), at + 100);
}

/** What kubeconfigs of strangers cannot do, on any hub. */
export function hostileKubeconfigCases(start: StartServer): void {
  describe('hostile kubeconfigs', () => {
    test('REG-27 REG-28 REG-29 run nothing and read nothing', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: true });
      using traps = setTraps();
      using dials = watchDials();
      const { command, pipe } = traps;
      const exec = (more = '') =>
        `exec: {command: ${command}, args: [${SECRET}], apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never${more}}`;
      const server = 'server: "https://api.example.com:6443"';
      await judgeAll(hub, [
        ['exec', kubeconfig({ user: exec() }), /^False ExecNotAllowed$/],
        [
          'exec-env',
          kubeconfig({ user: exec(`, env: [{name: A, value: ${SECRET}}]`) }),
          /ExecNotAllowed/,
        ],
        ['exec-token', kubeconfig({ user: `token: ${SECRET}, ${exec()}` }), /ExecNotAllowed/],
        [
          'exec-shell',
          kubeconfig({
            user: `exec: {command: sh, args: ["-c", "${command}"], apiVersion: client.authentication.k8s.io/v1beta1}`,
          }),
          /ExecNotAllowed/,
        ],
        [
          'gcp',
          kubeconfig({
            user: `auth-provider: {name: gcp, config: {cmd-path: ${command}, cmd-args: ${SECRET}, token-key: "{.t}", expiry-key: "{.e}"}}`,
          }),
          /AuthProviderNotSupported/,
        ],
        [
          'oidc',
          kubeconfig({
            user: `auth-provider: {name: oidc, config: {idp-certificate-authority: ${pipe}, refresh-token: ${SECRET}}}`,
          }),
          /AuthProviderNotSupported/,
        ],
        ['token-file', kubeconfig({ user: `tokenFile: ${pipe}` }), /FileReferenceNotAllowed/],
        [
          'token-file-too',
          kubeconfig({ user: `token: ${SECRET}, tokenFile: ${pipe}` }),
          /FileReferenceNotAllowed/,
        ],
        ['token-file-js', kubeconfig({ user: `token-file: ${pipe}` }), /FileReferenceNotAllowed/],
        [
          'ca-file',
          kubeconfig({ cluster: `${server}, certificate-authority: ${pipe}` }),
          /FileReferenceNotAllowed/,
        ],
        [
          'ca-file-relative',
          kubeconfig({ cluster: `${server}, certificate-authority: ../../../../${pipe}` }),
          /FileReferenceNotAllowed/,
        ],
        [
          'cert-files',
          kubeconfig({ user: `client-certificate: ${pipe}, client-key: ${pipe}` }),
          /FileReferenceNotAllowed/,
        ],
        [
          'own-token',
          kubeconfig({ user: 'tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token' }),
          /FileReferenceNotAllowed/,
        ],
        [
          'as',
          kubeconfig({
            user: `token: ${SECRET}, as: "system:admin", as-groups: ["system:masters"]`,
          }),
          /ImpersonationNotSupported/,
        ],
        [
          'password',
          kubeconfig({ user: `username: ${SECRET}, password: ${SECRET}` }),
          /NoCredential/,
        ],
        [
          'header',
          kubeconfig({ user: `token: "${SECRET}\\r\\nX-Remote-User: admin"` }),
          /KubeconfigInvalid/,
        ],
        ['file-url', named('file:///etc/passwd'), /False (KubeconfigInvalid|EndpointDenied)/],
        [
          'unix-url',
          named('unix:///var/run/docker.sock'),
          /False (KubeconfigInvalid|EndpointDenied)/,
        ],
        ['user-url', named(`https://${SECRET}:${SECRET}@api.example.com`), /KubeconfigInvalid/],
      ]);
      assert.equal(traps.hasRun(), false);
      assert.equal(traps.isRead(), false);
      assert.deepEqual(strangers(dials.attempts, hub), []);
      await hub.joinGood('good');
    });

    test('REG-36 dial no metadata service, no link and not this machine, however it is written', async () => {
      await using hub = await startHostileHub({
        start,
        allowsLoopback: false,
        addresses: {
          'metadata.example.com': ['93.184.216.34', '169.254.169.254'],
          'metadata6.example.com': ['fd00:ec2::254'],
          'mapped.example.com': ['::ffff:169.254.169.254'],
          'me.example.com': ['127.0.0.1'],
          'metadata.google.internal': ['169.254.169.254'],
        },
      });
      await using listener = await listen();
      using dials = watchDials();
      const { port } = listener;
      const own = [
        `https://127.0.0.1:${port}`,
        `https://127.1:${port}`,
        `https://localhost:${port}`,
        `https://LocalHost.:${port}`,
        `https://x.localhost:${port}`,
        `https://2130706433:${port}`,
        `https://0x7f000001:${port}`,
        `https://0177.0.0.1:${port}`,
        `https://[::1]:${port}`,
        `https://[::ffff:127.0.0.1]:${port}`,
        `https://[0:0:0:0:0:ffff:7f00:1]:${port}`,
        `https://0.0.0.0:${port}`,
        `https://[::]:${port}`,
        `https://me.example.com:${port}`,
        `https://\u2460\u2461\u2466.0.0.1:${port}`,
      ];
      const metadata = [
        'https://169.254.169.254',
        'https://169.254.169.254.:443',
        'https://2852039166',
        'https://0xa9fea9fe',
        'https://0251.0376.0251.0376',
        'https://[::ffff:169.254.169.254]',
        'https://[::ffff:a9fe:a9fe]',
        'https://[64:ff9b::a9fe:a9fe]',
        'https://[fd00:ec2::254]',
        'https://[fe80::1]',
        'https://168.63.129.16',
        'https://100.100.100.200',
        'https://metadata.example.com',
        'https://metadata6.example.com',
        'https://mapped.example.com',
        'https://metadata.google.internal',
        'https://kubernetes.default.svc',
        'https://224.0.0.1',
      ];
      const proxies = [
        `http://127.0.0.1:${port}`,
        `socks5://127.0.0.1:${port}`,
        `https://me.example.com:${port}`,
        `http://${SECRET}:${SECRET}@169.254.169.254`,
        'http://metadata.example.com',
        'socks5://[fd00:ec2::254]:1080',
      ];
      // Plain http is refused for being that, but not before or without the address being looked at.
      const denied = /^False (EndpointDenied|KubeconfigInvalid)$/;
      await judgeAll(hub, [
        ...[...own, ...metadata].map((url, at) => [`to-${at}`, named(url), denied] as const),
        ...proxies.map(
          (url, at) =>
            [`by-${at}`, named('https://10.255.255.1', `, proxy-url: "${url}"`), denied] as const,
        ),
        [
          'far',
          named('https://169.254.169.254', ', proxy-url: "http://10.255.255.1:3128"'),
          denied,
        ],
      ]);
      assert.equal(listener.calls(), 0);
      assert.deepEqual(strangers(dials.attempts, hub), []);
    });

    test('REG-36 inline endpoints and Secrets made by hand are judged like kubeconfigs', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: false });
      await using listener = await listen();
      using dials = watchDials();
      const inline = (endpoint: string, more = {}) => ({
        credentialSource: {
          inline: {
            endpoint,
            credentialType: 'ServiceAccountToken',
            tokenData: base64(SECRET),
            ...more,
          },
        },
      });
      const urls = [
        [`https://127.0.0.1:${listener.port}`, {}],
        ['https://[::ffff:169.254.169.254]:443', {}],
        ['https://10.255.255.1:443', { proxyURL: `http://127.0.0.1:${listener.port}` }],
      ] as const;
      for (const [at, [url, more]] of urls.entries()) {
        await hub.register(`inline-${at}`, 'unused', inline(url, more));
        const judged = await hub.until(`inline-${at}`, ({ status }) => status?.phase === 'Failed');
        assert.equal(says(judged, 'SourceResolved'), 'False EndpointDenied', url);
      }
      await hub.client.raw({
        method: 'POST',
        path: '/api/v1/namespaces/vela-system/secrets',
        body: {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name: 'by-hand',
            labels: { 'cluster.core.oam.dev/cluster-credential-type': 'ServiceAccountToken' },
          },
          data: {
            endpoint: base64(`https://127.0.0.1:${listener.port}`),
            'ca.crt': '',
            token: base64(SECRET),
          },
        },
      });
      await hub.register('by-hand', 'unused', { credentialSource: { existingSecret: {} } });
      const judged = await hub.until('by-hand', ({ status }) => status?.phase === 'Failed');
      assert.equal(says(judged, 'SourceResolved'), 'False EndpointDenied');
      assert.equal(listener.calls(), 0);
      assert.deepEqual(strangers(dials.attempts, hub), []);
      assert.ok(!(await hub.told()).replaceAll(base64(SECRET), '').includes(SECRET));
    });

    test('REG-38 bombs end as a condition, and the hub goes on', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: true });
      const size = 900_000;
      const server = 'server: "https://10.255.255.1:6443"';
      const ca = (pem: string) =>
        kubeconfig({ cluster: `${server}, certificate-authority-data: ${base64(pem)}` });
      const { certificate, key } = testPair(SECRET);
      await judgeAll(hub, [
        ['aliases', `a: &a ${SECRET}\nb: [${fill('*a, ', size)}]`, /KubeconfigInvalid/],
        [
          'nested-aliases',
          Array.from(
            { length: 30 },
            (_, level) =>
              `a${level}: &a${level} [${level === 0 ? SECRET : fill(`*a${level - 1}, `, 60)}]`,
          ).join('\n'),
          /KubeconfigInvalid/,
        ],
        ['anchors', fill(`- &a ${SECRET}\n`, size), /KubeconfigInvalid/],
        ['brackets', fill('[', size), /KubeconfigInvalid/],
        ['tags', fill(`- !!js/function ${SECRET}\n`, size), /KubeconfigInvalid/],
        ['twice', `${kubeconfig()}current-context: ${SECRET}\n`, /KubeconfigInvalid/],
        ['pem-begins', ca(fill('-----BEGIN CERTIFICATE-----\n', 600_000)), /KubeconfigInvalid/],
        [
          'pem-many',
          ca(fill('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 600_000)),
          /KubeconfigInvalid/,
        ],
        [
          'chain',
          kubeconfig({
            user: `client-certificate-data: ${base64(fill(certificate, 400_000))}, client-key-data: ${base64(key)}`,
          }),
          /KubeconfigInvalid/,
        ],
        ['huge-key', hugeKey(), /False (KubeconfigInvalid|KeyPairMismatch)/],
        [
          'spaces',
          kubeconfig({ user: `token: "${fill(`${SECRET} `, 800_000)}"` }),
          /KubeconfigInvalid/,
        ],
      ]);
      await hub.joinGood('good');
    });
  });
}

/** Attempts to connect to anything but the hub itself. */
function strangers(attempts: readonly string[], hub: HostileHub): string[] {
  return attempts.filter((each) => !each.endsWith(`:${hub.port}`));
}

/** A client certificate with an RSA key of 64 kilobits, for which no private key is needed to keep a hub busy. */
function hugeKey(): string {
  const integer = (bytes: Buffer) => der(0x02, Buffer.concat([Buffer.from([0]), bytes]));
  const modulus = randomBytes(8192);
  modulus[0] = 0xff;
  modulus[8191] = (modulus[8191] ?? 0) | 1;
  const rsa = der(0x30, Buffer.concat([integer(modulus), der(0x02, Buffer.from([1, 0, 1]))]));
  const algorithm = Buffer.from('300d06092a864886f70d0101010500', 'hex');
  const publicKey = der(
    0x30,
    Buffer.concat([algorithm, der(0x03, Buffer.concat([Buffer.from([0]), rsa]))]),
  );
  const subject = x509.nameOf([{ oid: x509.OID.commonName, text: SECRET }]);
  const certificate = x509.encodeCertificate(
    {
      serialNumber: Buffer.from([1]),
      issuer: subject,
      subject,
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2126-01-01T00:00:00Z'),
      publicKey,
      extensions: [],
    },
    () => randomBytes(8192),
  );
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  const { key } = testPair();
  return kubeconfig({
    user: `client-certificate-data: ${base64(pem)}, client-key-data: ${base64(key)}`,
  });
}

function der(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const length =
    size < 128
      ? [size]
      : size < 65_536
        ? [0x82, size >> 8, size & 255]
        : [0x83, size >> 16, (size >> 8) & 255, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
