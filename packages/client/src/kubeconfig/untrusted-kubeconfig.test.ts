import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '@flotilla/machinery/testing';
import type { ExecPlugin } from '../credentials/exec/exec-plugin.ts';
import { staticCredential } from '../credentials/static-credential.ts';
import { CERT, ENCRYPTED_KEY, KEY, RENEWED_KEY } from '../credentials/testing/certificates.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { parseUntrustedKubeconfig } from './untrusted-kubeconfig.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

function text({
  cluster = 'server: "https://api:6443"',
  user = 'token: s3cret',
  context = '',
  more = '',
} = {}) {
  return `
apiVersion: v1
kind: Config
current-context: ctx
contexts:
- {name: other, context: {cluster: c, user: plugin}}
- {name: ctx, context: {cluster: c, user: u${context}}}
clusters: [{name: c, cluster: {${cluster}}}]
users:
- {name: plugin, user: {exec: {command: s3cret}}}
- {name: u, user: {${user}}}
${more}`;
}

const problemsOf = (parts: Parameters<typeof text>[0], policy = {}) => {
  try {
    parseUntrustedKubeconfig(text(parts), policy);
  } catch (error) {
    assert.ok(error instanceof KubeconfigError);
    assert.doesNotMatch(JSON.stringify([error.message, error.problems, error.stack]), /s3cret/);
    return error.problems;
  }
  return [];
};

test('a server, its authority and a token are all it takes', async () => {
  const { credential, ...access } = parseUntrustedKubeconfig(
    text({
      cluster: `server: "https://api:6443/", tls-server-name: inner, certificate-authority-data: ${base64(CERT)}, extensions: [{name: minikube, extension: {a: 1}}]`,
      context: ', namespace: team',
    }),
  );

  assert.deepEqual(access, {
    server: 'https://api:6443',
    tls: { ca: CERT, serverName: 'inner' },
    namespace: 'team',
  });
  const presented = await credential.present();
  assert.deepEqual(presented, { authorization: 'Bearer s3cret' });
  assert.equal(await credential.refused(presented), false);
});

test('a certificate or a password will do, too', async () => {
  const certificate = `client-certificate-data: ${base64(CERT)}, client-key-data: ${base64(KEY)}`;
  const present = (user: string) => parseUntrustedKubeconfig(text({ user })).credential.present();

  assert.deepEqual(await present(certificate), { certificate: { cert: CERT, key: KEY } });
  assert.deepEqual(await present('username: a, password: b'), {
    authorization: `Basic ${base64('a:b')}`,
  });
});

test('files, commands and providers are refused by the name of the field, all at once', () => {
  const problems = problemsOf({
    cluster: 'server: "https://api", certificate-authority: /etc/passwd',
    user: 'token: s3cret, tokenFile: /var/run/secrets/token, client-certificate: /c, client-key: /k, exec: {command: s3cret}, auth-provider: {name: oidc, config: {client-secret: s3cret}}',
  });

  assert.deepEqual(
    problems.map((problem) => /^Cannot use (\S+): (.*?)[;,]/.exec(problem)?.slice(1)),
    [
      ['clusters[0].cluster.certificate-authority', 'files are not read here'],
      ['users[1].user.tokenFile', 'files are not read here'],
      ['users[1].user.client-certificate', 'files are not read here'],
      ['users[1].user.client-key', 'files are not read here'],
      ['users[1].user.exec', 'commands are not run here'],
      ['users[1].user.auth-provider', 'identity providers are not asked here'],
    ],
  );
});

test('another context may hold what it likes; the one asked for may not', () => {
  assert.deepEqual(problemsOf({}), []);
  assert.equal(problemsOf({}, { context: 'other' }).length, 1);
});

test('unknown fields are refused, and named only when they look like names', () => {
  assert.deepEqual(problemsOf({ cluster: 'server: "https://api", certificate-autority-data: x' }), [
    'Cannot use clusters[0].cluster.certificate-autority-data: kubeconfigs have no such field; leave it out',
  ]);
  assert.deepEqual(problemsOf({ user: 'token: t, "s3cret.aaaa.bbbb": x' }), [
    'Cannot use users[1].user.(a field with an odd name): kubeconfigs have no such field; leave it out',
  ]);
  assert.equal(problemsOf({ more: 'extra: 1' }).length, 1);
});

test('what weakens or redirects a connection must be allowed by name', () => {
  for (const [parts, option] of [
    [{ cluster: 'server: "https://api", insecure-skip-tls-verify: true' }, 'insecureTls'],
    [{ cluster: 'server: "https://api", proxy-url: "http://proxy:3128"' }, 'proxy'],
    [{ cluster: 'server: "http://api"' }, 'plainHttp'],
    [{ user: 'token: t, as: jane' }, 'impersonation'],
  ] as const) {
    assert.equal(problemsOf(parts).length, 1, option);
    assert.deepEqual(problemsOf(parts, { [option]: true }), []);
  }
  assert.deepEqual(
    problemsOf({ cluster: 'server: "https://api", insecure-skip-tls-verify: false' }),
    [],
  );
});

test('a refusal says of what kind it is, the gravest where there are several', () => {
  const kindOf = (kubeconfig: string, policy = {}) => {
    try {
      parseUntrustedKubeconfig(kubeconfig, policy);
    } catch (error) {
      return (error as KubeconfigError).refusal;
    }
    return assert.fail('it was accepted');
  };
  const pair = (cert: string, key: string) =>
    `client-certificate-data: ${base64(cert)}, client-key-data: ${base64(key)}`;

  for (const [kind, parts] of [
    ['FileReference', { cluster: 'server: "https://api", certificate-authority: /f' }],
    ['FileReference', { user: 'client-certificate: /f' }],
    ['FileReference', { user: 'client-key: /f' }],
    ['FileReference', { user: 'tokenFile: /f' }],
    ['FileReference', { user: 'token-file: /f, exec: {}, as: a, odd: 1' }],
    ['Exec', { user: 'exec: {}, auth-provider: {}' }],
    ['AuthProvider', { user: 'auth-provider: {}, as: a' }],
    [
      'Impersonation',
      { user: 'as: a', cluster: 'server: "https://a", insecure-skip-tls-verify: true' },
    ],
    [
      'InsecureTls',
      { cluster: 'server: "https://a", insecure-skip-tls-verify: true, proxy-url: "http://a"' },
    ],
    ['InsecureTls', { cluster: 'server: "http://api"' }],
    ['InsecureTls', { cluster: 'server: "api:6443"' }],
    ['Proxy', { cluster: 'server: "https://a", proxy-url: "http://a", odd: 1' }],
    ['KeyPairMismatch', { user: pair(CERT, RENEWED_KEY) }],
    ['Invalid', { user: pair(CERT, 's3cret') }],
    ['NoCredential', { user: '' }],
    ['Invalid', { user: 'token: t, odd: 1' }],
  ] as const) {
    assert.equal(kindOf(text(parts)), kind, JSON.stringify(parts));
  }
  assert.equal(kindOf('users: []'), 'ContextNotFound');
  assert.equal(kindOf('current-context: a'), 'ContextNotFound');
  assert.equal(kindOf(text(), { context: 'missing' }), 'ContextNotFound');
  assert.equal(kindOf('a: ['), 'Invalid');
});

test('a command is handed to who accepts commands, and runs nothing by itself', async () => {
  const user =
    'exec: {command: /bin/tool, args: [a], env: [{name: A, value: b}], apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, provideClusterInfo: true}';
  const asked: ExecPlugin[] = [];
  const exec = (plugin: ExecPlugin) => {
    asked.push(plugin);
    return staticCredential({ authorization: 'Bearer made' });
  };
  const access = parseUntrustedKubeconfig(text({ user }), { exec });

  assert.deepEqual(await access.credential.present(), { authorization: 'Bearer made' });
  assert.deepEqual(asked, [
    {
      command: '/bin/tool',
      args: ['a'],
      env: [{ name: 'A', value: 'b' }],
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      installHint: undefined,
      cluster: { server: 'https://api:6443', config: null },
    },
  ]);
  assert.match(
    problemsOf({ user: `token: s3cret, ${user}` }, { exec })[0] ?? '',
    /a command and another credential/,
  );
  assert.equal(problemsOf({ user }).length, 1);
});

test('an authority of more certificates than there are is refused', () => {
  const data = base64(CERT.repeat(1001));
  assert.match(
    problemsOf({ cluster: `server: "https://api", certificate-authority-data: ${data}` })[0] ?? '',
    /more than 1000 certificates/,
  );
});

test('a server without TLS gets no credential even where it is allowed', async () => {
  const access = parseUntrustedKubeconfig(text({ cluster: 'server: "http://api"' }), {
    plainHttp: true,
  });

  assert.deepEqual(await access.credential.present(), {});
});

const refused: readonly (readonly [title: string, text: string, message: RegExp])[] = [
  ['nothing', '', /it is empty/],
  ['no object', '- s3cret', /not a YAML or JSON object/],
  ['no YAML', 'a: [s3cret', /not valid YAML \(line \d+\)$/],
  ['a key twice', 'current-context: a\ncurrent-context: s3cret', /a key stands twice \(line 2\)/],
  ['two documents', 'a: 1\n---\nb: 2', /more than one YAML document/],
  ['no context', 'users: []', /no current-context/],
  ['an unknown context', 'current-context: s3cret', /not among its contexts/],
  [
    'an unknown cluster',
    'current-context: a\ncontexts: [{name: a, context: {cluster: s3cret, user: s3cret}}]',
    /^Cannot use contexts\[0\]\.context\.cluster: there is no such entry in clusters$/,
  ],
  ['more than 1 MiB', `# ${'x'.repeat(1024 * 1024)}`, /larger than 1 MiB/],
  [
    'many aliases',
    `a: &a s3cret\nb: [${Array.from({ length: 17 }, () => '*a').join(', ')}]`,
    /uses YAML aliases/,
  ],
  ['an alias of nothing', 'a: *s3cret', /Cannot read the kubeconfig/],
  ['another kind', text().replace('Config', 'Pod'), /not of kind Config, version v1/],
  ['a wrong type', text({ user: 'token: 5' }), /users\.user\.token is not of its type/],
  ['wrong base64', text({ user: 'client-key-data: "%"' }), /not base64/],
  ['no credential', text({ user: '' }), /it has no credential/],
  ['half a pair', text({ user: `client-key-data: ${base64(KEY)}` }), /belong together/],
  ['two credentials', text({ user: 'token: s3cret, username: a' }), /a token and a password/],
  [
    'an encrypted key',
    text({
      user: `client-certificate-data: ${base64(CERT)}, client-key-data: ${base64(ENCRYPTED_KEY)}`,
    }),
    /it is encrypted/,
  ],
  ['a name in the address', text({ cluster: 'server: "https://a:s3cret@api"' }), /a user name/],
  ['no URL', text({ cluster: 'server: "s3cret/path"' }), /it is not an https URL/],
  ['another scheme', text({ cluster: 'server: "s3cret://api"' }), /it is not an https URL/],
  ['no namespace', text({ context: ', namespace: "../s3cret"' }), /it is not a DNS label/],
  ['no server', text({ cluster: 'disable-compression: true' }), /server/],
];

for (const [title, kubeconfig, message] of refused) {
  test(`${title}: refused, with nothing of the text shown`, () => {
    assert.throws(
      () => parseUntrustedKubeconfig(kubeconfig),
      (error: Error) => {
        assert.equal(error.name, 'KubeconfigError');
        assert.match(error.message, message);
        assert.doesNotMatch(`${error.message} ${error.stack}`, /s3cret/);
        return true;
      },
    );
  });
}

test('changed at random, it is refused with a KubeconfigError or gives an Access, and never shows a secret', () => {
  const random = seeded(5);
  const original = text({
    cluster: `server: "https://api", certificate-authority-data: ${base64(CERT)}`,
  });
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ': ',
    '- ',
    '"',
    "'",
    '&a ',
    '*a',
    '<<: ',
    '!!x ',
    '\n',
    's3cret',
    'exec',
    '\t',
  ];
  for (let round = 0; round < 500; round++) {
    let changed = original;
    for (let i = random.below(4); i >= 0; i--) {
      const at = random.below(changed.length);
      changed = changed.slice(0, at) + random.pick(pieces) + changed.slice(at + random.below(3));
    }
    try {
      assert.match(parseUntrustedKubeconfig(changed).server, /^https:\/\//);
    } catch (error) {
      assert.ok(error instanceof KubeconfigError, `${String(error)}\n${changed}`);
      assert.doesNotMatch(error.message, /s3cret/);
    }
  }
});
