// Our kube-apiserver and etcd as processes of their own, with the flags that envtest and test scripts pass.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as httpsGet } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import {
  type Authority,
  createAuthority,
  issueClientCertificate,
  issueServingCertificate,
} from '../../packages/apiserver/src/authn/certificates.ts';
import { serverVersion } from '../../packages/apiserver/src/server-version.ts';
import { ASSETS } from './program.ts';
import { ask, freePort, plainEnvironment, plainStatus, startStandIn, until } from './stand-in.ts';

const run = promisify(execFile);
const NAMESPACES = '/api/v1/namespaces';
const validity = {
  notBefore: new Date(Date.now() - 60_000),
  notAfter: new Date(Date.now() + 3_600_000),
};

describe('the stand-in for kube-apiserver', () => {
  test('says that it is not the real one, and which Kubernetes it speaks', async () => {
    const { stdout } = await runStandIn('kube-apiserver', '--version');

    assert.match(stdout, /^Kubernetes v1\.34\.4\+flotilla \(Flotilla .*, not kube-apiserver\)\n$/);
    assert.ok(stdout.includes(serverVersion.gitVersion));
  });

  test('lists its flags the way envtest looks for them', async () => {
    const { stdout } = await runStandIn('kube-apiserver', '--help');

    assert.match(stdout, /^\s*--secure-port\b/m);
    assert.doesNotMatch(stdout, /^\s*--insecure-port\b/m);
  });

  test('makes its certificate where it is told, and clients can trust the file', async () => {
    using site = folder();
    const port = await freePort();
    await using server = startStandIn('kube-apiserver', [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${site.path}`,
      '--authorization-mode=RBAC',
      '--no-such-flag',
      'value',
      '--no-such-flag=again',
      '--feature-gates=X=true',
    ]);
    await ready(port);

    const ca = readFileSync(join(site.path, 'apiserver.crt'));
    const verified = await ask(port, '/readyz', { ca, rejectUnauthorized: true });
    assert.equal(verified?.text, 'ok');
    assert.ok(existsSync(join(site.path, 'apiserver.key')));
    assert.equal(server.output().match(/^Ignoring flags .*$/gm)?.length, 1);
    assert.match(server.output(), /mean nothing here: --no-such-flag, --feature-gates$/m);
    // RBAC, not a wall, keeps strangers out.
    assert.equal((await ask(port, '/version'))?.status, 200);
    assert.equal((await ask(port, NAMESPACES))?.status, 403);
  });

  test('ends at once when it is told to, watches or not', async () => {
    using site = folder();
    const tokens = join(site.path, 'tokens');
    writeFileSync(tokens, 'secret,admin,1,"system:masters"\n');
    const port = await freePort();
    await using server = startStandIn('kube-apiserver', [
      `--secure-port=${port}`,
      '--authorization-mode=RBAC',
      `--token-auth-file=${tokens}`,
    ]);
    await ready(port);
    const headers = { authorization: 'Bearer secret' };
    const watch = ask(port, `${NAMESPACES}?watch=true`, { headers });
    assert.equal((await ask(port, NAMESPACES, { headers }))?.status, 200);

    const begun = performance.now();
    server.kill('SIGTERM');

    assert.equal(await server.ended, 0);
    assert.equal((await watch)?.status, 200);
    assert.ok(performance.now() - begun < 3_000);
  });

  test('knows users by certificate, token and proxy, as its files say', async () => {
    using site = folder();
    const clients = createAuthority('clients', validity);
    const proxies = createAuthority('proxies', validity);
    const file = (name: string, text: string): string => {
      writeFileSync(join(site.path, name), text);
      return join(site.path, name);
    };
    const port = await freePort();
    await using _server = startStandIn('kube-apiserver', [
      '--secure-port',
      String(port),
      '--authorization-mode=Node,RBAC',
      `--client-ca-file=${file('clients', clients.certificate)}`,
      `--token-auth-file=${file('tokens', 'secret,token-user,7,"a,b"\n')}`,
      `--requestheader-client-ca-file=${file('proxies', proxies.certificate)}`,
      '--requestheader-allowed-names=front',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ]);
    await ready(port);
    const who = async (options: Parameters<typeof ask>[2]) => {
      const answer = await ask(port, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        method: 'POST',
        body: { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' },
        ...options,
      });
      return answer?.status === 201 ? answer.json().status.userInfo : answer?.status;
    };
    const json = { 'content-type': 'application/json' };
    const proxied = { ...json, 'X-Remote-User': 'eve', 'X-Remote-Group': 'g' };

    const user = await who({ headers: json, ...pairOf(clients, 'ada') });
    assert.equal(user.username, 'ada');
    assert.deepEqual(user.groups, ['crew', 'system:authenticated']);
    const bearer = await who({ headers: { ...json, authorization: 'Bearer secret' } });
    assert.deepEqual([bearer.username, bearer.uid], ['token-user', '7']);
    const eve = await who({
      headers: { ...proxied, 'X-Remote-Extra-Scopes': 'x' },
      ...pairOf(proxies, 'front'),
    });
    assert.deepEqual([eve.username, eve.groups], ['eve', ['g', 'system:authenticated']]);
    assert.deepEqual(eve.extra.scopes, ['x']);
    // Headers mean nothing without the certificate of a proxy that may send them.
    assert.equal((await who({ headers: proxied, ...pairOf(clients, 'ada') })).username, 'ada');
    assert.equal(await who({ headers: proxied, ...pairOf(proxies, 'other') }), 401);
    assert.equal(await who({ headers: { ...json, authorization: 'Bearer wrong' } }), 401);
  });

  test('signs with the key it is given and believes the keys it is given', async () => {
    using site = folder();
    const file = (name: string, text: string): string => {
      writeFileSync(join(site.path, name), text);
      return join(site.path, name);
    };
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const port = await freePort();
    await using _server = startStandIn('kube-apiserver', [
      `--secure-port=${port}`,
      '--authorization-mode=AlwaysAllow',
      `--token-auth-file=${file('tokens', 'secret,admin,1\n')}`,
      `--service-account-signing-key-file=${file('sa.key', privateKey)}`,
      `--service-account-key-file=${file('sa.pub', publicKey)}`,
      '--service-account-issuer=https://issuer.example.com',
      '--api-audiences=api,other',
    ]);
    await ready(port, { authorization: 'Bearer secret' });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const post = (path: string, body: object) => ask(port, path, { method: 'POST', headers, body });
    assert.equal((await post(accounts, { metadata: { name: 'robot' } }))?.status, 201);

    const token = (await post(`${accounts}/robot/token`, {}))?.json().status.token;

    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    assert.equal(claims.iss, 'https://issuer.example.com');
    assert.deepEqual(claims.aud, ['api', 'other']);
    const robot = { authorization: `Bearer ${token}` };
    // Everyone may do everything, but has to be someone.
    assert.equal((await ask(port, '/api/v1/secrets', { headers: robot }))?.status, 200);
    assert.equal((await ask(port, '/api/v1/secrets'))?.status, 401);
    const keys = (await ask(port, '/openid/v1/jwks', { headers }))?.json().keys;
    assert.deepEqual(
      keys.map(({ alg }: { alg: string }) => alg),
      ['RS256'],
    );
  });

  test('keeps objects where it is told to, and forgets them otherwise', async () => {
    using site = folder();
    const tokens = join(site.path, 'tokens');
    writeFileSync(tokens, 'secret,admin,1,"system:masters"\n');
    const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
    const visit = async (flags: readonly string[]): Promise<number | undefined> => {
      const port = await freePort();
      await using server = startStandIn('kube-apiserver', [
        `--secure-port=${port}`,
        '--authorization-mode=RBAC',
        `--token-auth-file=${tokens}`,
        ...flags,
      ]);
      await ready(port);
      const body = { metadata: { name: 'kept' } };
      const created = await ask(port, NAMESPACES, { method: 'POST', headers, body });
      server.kill('SIGTERM');
      await server.ended;
      return created?.status;
    };

    const data = `--flotilla-data=${join(site.path, 'data')}`;
    assert.deepEqual([await visit([data]), await visit([data])], [201, 409]);
    assert.deepEqual([await visit([]), await visit([])], [201, 201]);
  });

  test('does the work of a controller manager only when asked', async () => {
    using site = folder();
    const tokens = join(site.path, 'tokens');
    writeFileSync(tokens, 'secret,admin,1,"system:masters"\n');
    const port = await freePort();
    await using _server = startStandIn('kube-apiserver', [
      `--secure-port=${port}`,
      '--authorization-mode=RBAC',
      `--token-auth-file=${tokens}`,
      '--flotilla-controllers',
    ]);
    await ready(port);
    const headers = { authorization: 'Bearer secret' };

    await until(async () => {
      const found = await ask(port, `${NAMESPACES}/default/serviceaccounts/default`, { headers });
      return found?.status === 200 ? true : undefined;
    });
  });

  test('refuses to start with flags it cannot follow', async () => {
    const { code, stderr } = await failing('--authorization-mode=Webhook', '--secure-port=x');

    assert.equal(code, 1);
    assert.deepEqual(stderr.trim().split('\n'), [
      'Cannot use --authorization-mode "Webhook": only RBAC, Node and AlwaysAllow are there',
      'Cannot use --secure-port "x": it must be a number from 0 to 65535',
    ]);
  });

  test('says which port is taken', async () => {
    const port = await freePort();
    await using _first = startStandIn('kube-apiserver', [
      `--secure-port=${port}`,
      '--authorization-mode=RBAC',
    ]);
    await ready(port);

    const { code, stderr } = await failing(`--secure-port=${port}`);

    assert.equal(code, 1);
    assert.match(stderr, /^Cannot listen on 127\.0\.0\.1:\d+: the port is taken/);
  });
});

describe('the stand-in for etcd', () => {
  test('says that it is well where clients ask, and ends when told to, without a word', async () => {
    const [one, two] = [await freePort(), await freePort()];
    await using etcd = startStandIn('etcd', [
      '--data-dir=/nowhere',
      '--unsafe-no-fsync=true',
      '--listen-peer-urls=http://127.0.0.1:0',
      `--listen-client-urls=http://127.0.0.1:${one},http://127.0.0.1:${two}`,
    ]);

    for (const port of [one, two]) {
      await until(async () => {
        const status = await plainStatus(`http://127.0.0.1:${port}/health`);
        return status === 200 ? true : undefined;
      });
    }
    assert.equal(await plainStatus(`http://127.0.0.1:${one}/v3/kv/range`), 404);
    etcd.kill('SIGTERM');
    assert.equal(await etcd.ended, 0);
    assert.equal(etcd.output(), '');
  });

  test('speaks TLS with the certificate it is given, to those it may', async () => {
    using site = folder();
    const authority = createAuthority('etcd', validity);
    const pair = issueServingCertificate(authority, {
      ...validity,
      commonName: 'etcd',
      hosts: ['127.0.0.1'],
    });
    const file = (name: string, text: string): string => {
      writeFileSync(join(site.path, name), text);
      return join(site.path, name);
    };
    const port = await freePort();
    await using _etcd = startStandIn('etcd', [
      `--listen-client-urls=https://127.0.0.1:${port}`,
      `--cert-file=${file('crt', pair.certificate)}`,
      `--key-file=${file('key', pair.key)}`,
      '--client-cert-auth=true',
      `--trusted-ca-file=${file('ca', authority.certificate)}`,
    ]);

    const ca = authority.certificate;
    const health = await until(() => ask(port, '/health', { ca, ...pairOf(authority, 'me') }));
    assert.equal(health.json().health, 'true');
    const stranger = await new Promise((resolve) => {
      httpsGet({ host: '127.0.0.1', port, path: '/health', ca, agent: false }, () =>
        resolve('answered'),
      ).on('error', () => resolve('refused'));
    });
    assert.equal(stranger, 'refused');
  });
});

function pairOf(authority: Authority, user: string): { cert: string; key: string } {
  const { certificate, key } = issueClientCertificate(authority, {
    ...validity,
    user,
    groups: ['crew'],
  });
  return { cert: certificate, key };
}

async function ready(port: number, headers: Record<string, string> = {}): Promise<void> {
  await until(async () => {
    const answer = await ask(port, '/readyz', { headers });
    return answer?.status === 200 ? true : undefined;
  });
}

function runStandIn(name: string, ...flags: string[]): Promise<{ stdout: string }> {
  return run(join(ASSETS, name), flags, { env: plainEnvironment(), timeout: 60_000 });
}

async function failing(...flags: string[]): Promise<{ code: number; stderr: string }> {
  try {
    await runStandIn('kube-apiserver', ...flags);
  } catch (error) {
    return error as { code: number; stderr: string };
  }
  throw new Error('Cannot test a failure: it started');
}

function folder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'flotilla-envtest-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
