import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { CERT, ENCRYPTED_KEY, KEY, RENEWED_KEY } from '../credentials/testing/certificates.ts';
import { createCredentialPool } from './credential-pool.ts';
import { decodeKubeconfig } from './decode-kubeconfig.ts';
import type { Kubeconfig, KubeconfigUser } from './kubeconfig.ts';
import { type ResolveOptions, resolveAccess } from './resolve-access.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A kubeconfig of one context, cluster and user, in YAML flow form. */
function kubeconfig({ cluster = 'server: "https://api:6443"', user = '', context = '' } = {}) {
  return from(`
current-context: ctx
contexts: [{name: ctx, context: {cluster: c, user: u${context}}}]
clusters: [{name: c, cluster: {${cluster}}}]
users: [{name: u, user: {${user}}}]`);
}

function from(text: string): Kubeconfig {
  return { ...decodeKubeconfig(text), files: [], missing: [] };
}

/** Resolves on a machine with these files and nothing else. */
function resolve(
  config: Kubeconfig,
  options: Partial<ResolveOptions> & { files?: Readonly<Record<string, string>> } = {},
) {
  const { files = {}, ...rest } = options;
  return resolveAccess(config, {
    env: {},
    clock: new ManualClock(),
    readFile: async (path) => {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return Buffer.from(content);
    },
    ...rest,
  });
}

const presented = async (user: string, files?: Readonly<Record<string, string>>) =>
  (await resolve(kubeconfig({ user }), files === undefined ? {} : { files })).credential.present();

test('a context names the server, what is expected of it, and the namespace', async () => {
  const { credential, ...access } = await resolve(
    kubeconfig({
      cluster: `server: "https://api:6443/clusters/a/?x=1#y", tls-server-name: inner, certificate-authority-data: ${base64(CERT)}, proxy-url: "socks5://127.0.0.1:1080", disable-compression: true`,
      user: 'token: t, as: jane, as-uid: "7", as-groups: [a, b], as-user-extra: {scope: [v, w]}',
      context: ', namespace: team',
    }),
  );

  assert.deepEqual(access, {
    server: 'https://api:6443/clusters/a',
    namespace: 'team',
    proxyUrl: 'socks5://127.0.0.1:1080',
    disableCompression: true,
    impersonate: { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { scope: ['v', 'w'] } },
    tls: { ca: CERT, serverName: 'inner' },
  });
  assert.deepEqual(await credential.present(), { authorization: 'Bearer t' });
});

test('the authority may be in a file', async () => {
  const config = kubeconfig({ cluster: 'server: "https://api", certificate-authority: /ca' });

  assert.deepEqual((await resolve(config, { files: { '/ca': CERT } })).tls, { ca: CERT });
});

test('every kind of user presents what kubectl would', async () => {
  const pair = { cert: CERT, key: KEY };
  assert.deepEqual(await presented(''), {});
  assert.deepEqual(await presented('token: t'), { authorization: 'Bearer t' });
  assert.deepEqual(await presented('username: jane, password: "a:b"'), {
    authorization: `Basic ${base64('jane:a:b')}`,
  });
  assert.deepEqual(await presented('password: alone'), {});
  assert.deepEqual(await presented('tokenFile: /t', { '/t': 'x\n' }), {
    authorization: 'Bearer x',
  });
  assert.deepEqual(
    await presented('client-certificate: /c, client-key: /k', { '/c': CERT, '/k': KEY }),
    { certificate: pair },
  );
  assert.deepEqual(
    await presented(`client-certificate-data: ${base64(CERT)}, client-key: /k, token: t`, {
      '/k': KEY,
    }),
    { certificate: pair, authorization: 'Bearer t' },
  );
});

test('a plugin is not run for a user that has a token', async () => {
  const exec =
    'exec: {command: /nope, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}';

  assert.deepEqual(await presented(`token: t, ${exec}`), { authorization: 'Bearer t' });
  await assert.rejects(presented(exec), /fork\/exec \/nope/);
});

test('nothing secret is sent without TLS, nor read for it', async () => {
  const config = kubeconfig({
    cluster: 'server: "http://api", certificate-authority-data: YWJj',
    user: 'token: t, as: jane',
  });
  const access = await resolve(config);

  assert.deepEqual(await access.credential.present(), {});
  assert.deepEqual(access.tls, {});
  assert.deepEqual(access.impersonate, { user: 'jane' });
  assert.equal(
    (await resolve(kubeconfig({ cluster: 'server: "api:8080"' }))).server,
    'http://api:8080',
  );
});

test('a name in the address counts before a token', async () => {
  const access = await resolve(
    kubeconfig({ cluster: 'server: "https://jane:a%40b@api"', user: 'token: t' }),
  );

  assert.equal(access.server, 'https://api');
  assert.deepEqual(await access.credential.present(), {
    authorization: `Basic ${base64('jane:a@b')}`,
  });
});

const refusals: readonly (readonly [
  title: string,
  parts: { cluster?: string; user?: string },
  message: string,
])[] = [
  [
    'both forms of an authority',
    {
      cluster:
        'server: "https://api", certificate-authority-data: YWJj, certificate-authority: /ca',
    },
    'invalid configuration: [certificate-authority-data and certificate-authority are both specified for c. certificate-authority-data will override., unable to read certificate-authority /ca for c due to open /ca: no such file or directory]',
  ],
  [
    'an authority and no verification',
    {
      cluster: `server: "https://api", certificate-authority-data: ${base64(CERT)}, insecure-skip-tls-verify: true`,
    },
    'specifying a root certificates file with the insecure flag is not allowed',
  ],
  [
    'an authority that is none',
    { cluster: 'server: "https://api", certificate-authority-data: YWJj' },
    'unable to load root certificates: unable to parse bytes as PEM block',
  ],
  [
    'a proxy of another kind',
    { cluster: 'server: "https://api", proxy-url: "ftp://x"' },
    'invalid configuration: invalid \'proxy-url\' "ftp://x" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5',
  ],
  [
    'a server of another kind',
    { cluster: 'server: "ftp://x"' },
    'unsupported protocol scheme "ftp"',
  ],
  [
    'a host with a path',
    { cluster: 'server: "host/path"' },
    'host must be a URL or a host:port pair: "host/path"',
  ],
  [
    'a certificate without key',
    { user: 'client-certificate-data: YWJj' },
    'invalid configuration: client-key-data or client-key must be specified for u to use the clientCert authentication method.',
  ],
  [
    'a key of another certificate',
    { user: `client-certificate-data: ${base64(CERT)}, client-key-data: ${base64(RENEWED_KEY)}` },
    'tls: private key does not match public key',
  ],
  [
    'an encrypted key',
    { user: `client-certificate-data: ${base64(CERT)}, client-key-data: ${base64(ENCRYPTED_KEY)}` },
    'Cannot use the private key of client-key-data: it is encrypted, and kubeconfigs have no place for its passphrase; decrypt it (openssl pkey -in KEY -out DECRYPTED-KEY) or use a credential plugin',
  ],
  [
    'a token and a password',
    { user: 'token: s3cret, username: jane, password: s3cret' },
    'invalid configuration: more than one authentication method found for u; found [token basicAuth], only one is allowed',
  ],
  [
    'a token file and a password',
    { user: 'tokenFile: /t, username: jane' },
    'username/password or bearer token may be set, but not both',
  ],
  [
    'a token file that is not there',
    { user: 'tokenFile: /nope' },
    'open /nope: no such file or directory',
  ],
  [
    'groups without a user to be',
    { user: 'token: t, as-groups: [a]' },
    'invalid configuration: requesting uid, groups or user-extra for u without impersonating a user',
  ],
  [
    'a plugin with nothing said about it',
    { user: 'exec: {env: [{value: x}], interactiveMode: Sometimes}' },
    'invalid configuration: [command must be specified for u to use exec authentication plugin, apiVersion must be specified for u to use exec authentication plugin, env variable name must be specified for u to use exec authentication plugin, invalid interactiveMode for u: "Sometimes"]',
  ],
  [
    'a plugin beside a provider',
    {
      user: 'auth-provider: {name: oidc}, exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1}',
    },
    'invalid configuration: authProvider cannot be provided in combination with an exec plugin for u',
  ],
  [
    'a provider that was removed',
    { user: 'auth-provider: {name: gcp}' },
    'The gcp auth plugin has been removed.\nPlease use the "gke-gcloud-auth-plugin" kubectl/client-go credential plugin instead.\nSee https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke for further details',
  ],
  [
    'a provider nobody knows',
    { user: 'auth-provider: {name: foo}' },
    'no Auth Provider found for name "foo"',
  ],
  ['OIDC without issuer', { user: 'auth-provider: {name: oidc}' }, 'Must provide idp-issuer-url'],
];

for (const [title, parts, message] of refusals) {
  test(`${title}: refused in kubectl’s words`, async () => {
    const files = { '/t': 'x' };
    await assert.rejects(resolve(kubeconfig(parts), { files }), {
      name: 'KubeconfigError',
      message,
    });
  });
}

test('names that were asked for must exist', async () => {
  for (const [options, message] of [
    [{ context: 'nope' }, 'context "nope" does not exist'],
    [{ cluster: 'nope' }, 'cluster "nope" does not exist'],
    [{ user: 'nope', context: 'nope' }, 'auth info "nope" does not exist'],
  ] as const) {
    await assert.rejects(resolve(kubeconfig(), options), { message });
  }
});

test('names that do not lead anywhere are an error, except for a user', async () => {
  const config = kubeconfig();
  await assert.rejects(resolve({ ...config, currentContext: 'z' }), {
    message:
      'invalid configuration: [context was not found for specified context: z, cluster has no server defined]',
  });
  await assert.rejects(resolve({ ...config, clusters: new Map() }), {
    message:
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    isEmpty: true,
  });
  assert.deepEqual(await (await resolve({ ...config, users: new Map() })).credential.present(), {});
});

test('without any configuration there is an error, or the server that is asked by default', async () => {
  const empty = from('');

  await assert.rejects(resolve(empty), { isEmpty: true });
  const access = await resolve(empty, { defaultServer: 'http://localhost:8080' });
  assert.equal(access.server, 'http://localhost:8080');
});

test('what is asked for counts before the kubeconfig', async () => {
  const config = kubeconfig({
    cluster: `server: "https://api", tls-server-name: inner, certificate-authority-data: ${base64(CERT)}`,
    user: 'token: t',
    context: ', namespace: a',
  });
  const insecure = await resolve(config, {
    namespace: 'b',
    clusterFields: { server: 'https://other', 'insecure-skip-tls-verify': true },
    userFields: { as: 'jane', token: 'mine' },
  });

  assert.equal(insecure.server, 'https://other');
  assert.equal(insecure.namespace, 'b');
  // Another server has another name, and its authority is in the way of not asking for one.
  assert.deepEqual(insecure.tls, { insecure: true });
  assert.deepEqual(insecure.impersonate, { user: 'jane' });
  assert.deepEqual(await insecure.credential.present(), { authorization: 'Bearer mine' });
  const named = await resolve(config, { clusterFields: { 'tls-server-name': 'new' } });
  assert.deepEqual(named.tls, { ca: CERT, serverName: 'new' });
});

test('contexts with one plugin share it in a pool, and only there', async () => {
  const exec = (command: string): KubeconfigUser => ({
    exec: { command, apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' },
  });
  const config = {
    ...kubeconfig(),
    users: new Map([
      ['u', exec('/one')],
      ['v', exec('/one')],
      ['w', exec('/two')],
    ]),
  };
  const pool = createCredentialPool();
  const [u, v, w] = await Promise.all(
    ['u', 'v', 'w'].map(async (user) => (await resolve(config, { user, pool })).credential),
  );

  assert.equal(u, v);
  assert.notEqual(u, w);
});
