import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '@flotilla/machinery/testing';
import { CERT, ENCRYPTED_KEY, KEY } from '../credentials/testing/certificates.ts';
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
