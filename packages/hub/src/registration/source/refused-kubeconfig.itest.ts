import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { kubeconfig, type SourceHub, startSourceHub } from './testing/source-hub.ts';
import { base64, written } from './testing/written.ts';

const { certificate } = testPair();
const other = testPair('other');

let hub: SourceHub;
before(async () => {
  hub = await startSourceHub();
});
after(() => hub[Symbol.asyncDispose]());

let count = 0;

/** A kubeconfig in a Secret of its own. */
async function inSecret(text: string): Promise<{ secretRef: { name: string } }> {
  const name = `source-${++count}`;
  await hub.createSecret(`vela-system/${name}`, { kubeconfig: text });
  return { secretRef: { name } };
}

const reasonFor = async (text: string, options = {}) => {
  const problem = await hub.refuse(await inSecret(text), options);
  assert.doesNotMatch(`${problem.message} ${problem.stack}`, /s3cret/);
  return problem.reason;
};

describe('a kubeconfig', () => {
  test('REG-26 that is none, or names what is not there, is refused without an echo', async () => {
    assert.equal(await reasonFor('s3cret: ['), 'KubeconfigInvalid');
    assert.equal(await reasonFor('s3cret'), 'KubeconfigInvalid');
    assert.equal(await reasonFor(''), 'KubeconfigInvalid');
    assert.equal(await reasonFor('apiVersion: v1\nkind: Config\n'), 'ContextNotFound');
    assert.equal(await reasonFor(kubeconfig({ context: 's3cret' })), 'ContextNotFound');
    assert.equal(
      await reasonFor(kubeconfig().replace('cluster: c,', 'cluster: s3cret,')),
      'KubeconfigInvalid',
    );
    assert.equal(
      await reasonFor(kubeconfig().replace('user: u}', 'user: s3cret}')),
      'KubeconfigInvalid',
    );
    assert.equal(
      await reasonFor(kubeconfig({ cluster: 'server: "https://s3cret:pw@api"' })),
      'KubeconfigInvalid',
    );
  });

  test('REG-27 that names files is refused, and none is opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-files-'));
    try {
      // Whoever opens it to read waits for a writer for ever.
      const pipe = join(folder, 's3cret-pipe');
      execFileSync('mkfifo', [pipe]);
      for (const parts of [
        { cluster: `server: "https://api", certificate-authority: ${pipe}` },
        { user: `client-certificate: ${pipe}, client-key: ${pipe}` },
        { user: `tokenFile: ${pipe}` },
        { user: `token-file: ${pipe}` },
        { user: `token: t, tokenFile: ${pipe}` },
      ]) {
        assert.equal(await reasonFor(kubeconfig(parts)), 'FileReferenceNotAllowed');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describe('that names commands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-source-'));
    const command = join(folder, 'tool');
    writeFileSync(command, `#!/bin/sh\ntouch "$0.ran"\n`, { mode: 0o755 });
    after(() => rmSync(folder, { recursive: true }));

    test('REG-28 is refused, and no process is started', async () => {
      const exec = `exec: {command: ${command}, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}`;

      assert.equal(await reasonFor(kubeconfig({ user: exec })), 'ExecNotAllowed');
      assert.equal(
        await reasonFor(kubeconfig({ user: `token: s3cret, ${exec}` })),
        'ExecNotAllowed',
      );
      assert.ok(!existsSync(`${command}.ran`));
    });

    test('REG-29 for an identity provider is refused, and no process is started', async () => {
      const provider = `auth-provider: {name: gcp, config: {cmd-path: ${command}, cmd-args: s3cret}}`;

      assert.equal(await reasonFor(kubeconfig({ user: provider })), 'AuthProviderNotSupported');
      assert.ok(!existsSync(`${command}.ran`));
    });
  });

  test('REG-30 without a credential, or with a password only, is refused', async () => {
    assert.equal(await reasonFor(kubeconfig({ user: '' })), 'NoCredential');
    assert.equal(
      await reasonFor(kubeconfig({ user: 'username: s3cret, password: s3cret' })),
      'NoCredential',
    );
    assert.equal(await reasonFor(kubeconfig({ user: 'token: ""' })), 'NoCredential');
    assert.equal(await reasonFor(kubeconfig({ user: 'token: " "' })), 'NoCredential');
  });

  test('REG-33 without verification is refused, or allowed with a warning', async () => {
    const text = kubeconfig({ cluster: 'server: "https://api", insecure-skip-tls-verify: true' });
    assert.equal(await reasonFor(text), 'InsecureTLSNotAllowed');

    const found = await hub.resolve(await inSecret(text), { allowInsecureTls: true });
    assert.deepEqual(Object.keys(written(found)), ['endpoint', 'token']);
    assert.deepEqual(
      found.warnings.map(({ reason }) => reason),
      ['InsecureTLS'],
    );
    assert.equal(
      await reasonFor(kubeconfig({ cluster: 'server: "http://api"' })),
      'InsecureTLSNotAllowed',
    );
  });

  test('REG-34 for another name than the host is refused, and for the same accepted', async () => {
    const named = (name: string) =>
      kubeconfig({ cluster: `server: "https://API.example.com", tls-server-name: ${name}` });

    assert.equal(await reasonFor(named('s3cret.example.com')), 'ServerNameUnsupported');
    assert.ok(await hub.resolve(await inSecret(named('Api.example.com'))));
  });

  test('REG-35 with a key of another certificate is refused', async () => {
    const pair = `client-certificate-data: ${base64(certificate)}, client-key-data: ${base64(other.key)}`;
    assert.equal(await reasonFor(kubeconfig({ user: pair })), 'KeyPairMismatch');
  });

  test('REG-36 that leads to where no member is, is refused; a Service is a member', async () => {
    const addresses = {
      'sly.example.com': ['93.184.216.34', '169.254.169.254'],
      'x.ns.svc': ['10.0.0.1'],
    };
    const at = (server: string) =>
      reasonFor(kubeconfig({ cluster: `server: "${server}"` }), { addresses });

    for (const server of [
      'https://169.254.169.254',
      'https://127.0.0.1:6443',
      'https://localhost',
      'https://[::1]',
      'https://sly.example.com',
      'https://kubernetes.default.svc',
    ]) {
      assert.equal(await at(server), 'EndpointDenied', server);
    }
    const service = await inSecret(kubeconfig({ cluster: 'server: "https://x.ns.svc:443"' }));
    assert.equal(
      (await hub.resolve(service, { addresses })).member.endpoint,
      'https://x.ns.svc:443',
    );
    const local = await inSecret(kubeconfig({ cluster: 'server: "https://127.0.0.1:6443"' }));
    assert.ok(
      await hub.resolve(local, { endpoints: { allow: [], deny: [], allowsLoopback: true } }),
    );
  });

  test('whose proxy is where no proxy is, is refused without its password', async () => {
    const through = (proxy: string) =>
      kubeconfig({ cluster: `server: "https://api", proxy-url: "${proxy}"` });

    assert.equal(await reasonFor(through('http://user:s3cret@169.254.169.254')), 'EndpointDenied');
    assert.equal(await reasonFor(through('ftp://s3cret')), 'KubeconfigInvalid');
  });

  test('that impersonates is refused', async () => {
    assert.equal(
      await reasonFor(kubeconfig({ user: 'token: s3cret, as: jane' })),
      'ImpersonationNotSupported',
    );
  });

  test('with a token that no header can carry is refused', async () => {
    assert.equal(
      await reasonFor(kubeconfig({ user: 'token: "s3cret\\r\\nX-Evil: 1"' })),
      'KubeconfigInvalid',
    );
  });
});
