import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serverConfig } from './config.ts';
import { readFlags } from './read-flags.ts';

describe('the configuration', () => {
  test('of no flags at all is that of kube-apiserver, on loopback and in memory', () => {
    const config = configOf();

    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, 6443);
    assert.equal(config.serviceCidr, '10.0.0.0/24');
    assert.equal(config.dataFolder, undefined);
    assert.equal(config.doesManagersWork, false);
    assert.equal(config.serving, undefined);
    // Upstream's default mode, which goes without anonymous users.
    assert.equal(config.allowsEverything, true);
    assert.equal(config.anonymous, false);
  });

  test('of what envtest passes has its files read', () => {
    const config = configOf(
      '--authorization-mode=RBAC',
      '--client-ca-file=/ca',
      '--service-account-key-file=/sa.crt',
      '--service-account-signing-key-file=/sa.key',
      '--service-account-issuer=https://127.0.0.1:1/',
      '--disable-admission-plugins=ServiceAccount',
      '--cert-dir=/certs',
      '--allow-privileged=true',
      '--etcd-servers=http://127.0.0.1:2',
    );

    assert.equal(config.allowsEverything, false);
    assert.equal(config.anonymous, true);
    assert.equal(config.clientAuthorities, 'content of /ca');
    assert.equal(config.certificateFolder, '/certs');
    assert.deepEqual(config.serviceAccounts, {
      issuers: ['https://127.0.0.1:1/'],
      audiences: [],
      signingKey: 'content of /sa.key',
      verifyingKeys: ['content of /sa.crt'],
    });
    assert.deepEqual(config.admissionPlugins, { enable: [], disable: ['ServiceAccount'] });
  });

  test('believes a proxy only with an authority to know it by', () => {
    const headers = ['--requestheader-username-headers=X-Remote-User,X-User'];

    assert.equal(configOf(...headers).frontProxy, undefined);
    const { frontProxy } = configOf(...headers, '--requestheader-client-ca-file=/proxies');
    assert.deepEqual(frontProxy, {
      authorities: 'content of /proxies',
      allowedNames: [],
      usernameHeaders: ['X-Remote-User', 'X-User'],
      uidHeaders: [],
      groupHeaders: [],
      extraHeaderPrefixes: [],
    });
  });

  test('tells all that is wrong at once', () => {
    const flags = [
      '--secure-port=70000',
      '--bind-address=here',
      '--service-cluster-ip-range=fd00::/108',
      '--authorization-mode=RBAC,ABAC',
      '--enable-admission-plugins=NoSuchPlugin,NodeRestriction',
      '--anonymous-auth=perhaps',
      '--client-ca-file=/missing',
      '--tls-cert-file=/tls.crt',
    ];

    assert.throws(
      () => configOf(...flags),
      (error: Error) => {
        assert.deepEqual(error.message.split('\n').sort(), [
          'Cannot serve with "/tls.crt" alone: a certificate and its key are needed',
          'Cannot use --anonymous-auth "perhaps": it must be true or false',
          'Cannot use --authorization-mode "ABAC": only RBAC, Node and AlwaysAllow are there',
          'Cannot use --bind-address "here": it must be an IP address',
          'Cannot use --client-ca-file "/missing": there is no such file',
          'Cannot use --enable-admission-plugins "NoSuchPlugin": there is no such plug-in',
          'Cannot use --secure-port "70000": it must be a number from 0 to 65535',
          'Cannot use --service-cluster-ip-range "fd00::/108": it must be an IPv4 network such as 10.0.0.0/24',
        ]);
        return true;
      },
    );
  });
});

function configOf(...argv: string[]) {
  return serverConfig(readFlags(argv), (path) => {
    if (path === '/missing') throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    return `content of ${path}`;
  });
}
