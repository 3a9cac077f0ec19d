import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBase64 } from './base64.ts';
import { decodeKubeconfig } from './decode-kubeconfig.ts';

const refusals: readonly (readonly [text: string, message: string])[] = [
  [
    'clusters: [{name: a, cluster: {server: 5}}]',
    'json: cannot unmarshal number into Go struct field Cluster.clusters.cluster.server of type string',
  ],
  [
    // In sorted order, since kubectl reads sorted JSON.
    'clusters: [{name: a, cluster: {server: true, insecure-skip-tls-verify: "yes"}}]',
    'json: cannot unmarshal string into Go struct field Cluster.clusters.cluster.insecure-skip-tls-verify of type bool',
  ],
  [
    'users: [{name: a, user: {as-groups: x}}]',
    'json: cannot unmarshal string into Go struct field AuthInfo.users.user.as-groups of type []string',
  ],
  [
    'users: {name: a}',
    'json: cannot unmarshal object into Go struct field Config.users of type []v1.NamedAuthInfo',
  ],
  ['users: [{name: a, user: {client-key-data: "%%%"}}]', 'illegal base64 data at input byte 0'],
  ['users: [{name: a, user: {client-key-data: "YWJjZA"}}]', 'illegal base64 data at input byte 4'],
  [
    'kind: Foo\napiVersion: v1',
    'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
  ],
  [
    'hello',
    'couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
  ],
];

test('what is no kubeconfig is refused in kubectl’s words', () => {
  for (const [text, message] of refusals) {
    assert.throws(() => decodeKubeconfig(text), { name: 'KubeconfigError', message }, text);
  }
});

test('an entry that stands twice is refused without showing what is in it', () => {
  const text = 'users: [{name: a, user: {token: s3cret}}, {name: a, user: {token: s3cret}}]';

  assert.throws(() => decodeKubeconfig(text), {
    message:
      'error converting *[]NamedAuthInfo into *map[string]*api.AuthInfo: duplicate name "a" in list',
  });
});

test('texts without anything in them are empty kubeconfigs', () => {
  for (const text of ['', '  \n', '---\n', '# nothing', 'apiVersion: v1', 'users: null']) {
    const { clusters, users, contexts, currentContext } = decodeKubeconfig(text);
    assert.deepEqual([clusters.size, users.size, contexts.size, currentContext], [0, 0, 0, '']);
  }
});

test('unknown and differently spelt fields count as absent, and so do empty ones', () => {
  const { users } = decodeKubeconfig(
    'users: [{name: a, user: {Token: x, token-file: y, password: "", as-groups: null}}]',
  );

  assert.deepEqual(users.get('a'), {});
});

test('interactiveMode has a default in the beta version only', () => {
  const mode = (version: string) =>
    decodeKubeconfig(
      `users: [{name: a, user: {exec: {command: x, apiVersion: client.authentication.k8s.io/${version}}}}]`,
    ).users.get('a')?.exec?.interactiveMode;

  assert.equal(mode('v1beta1'), 'IfAvailable');
  assert.equal(mode('v1'), undefined);
});

test('data is decoded, extensions are found by name', () => {
  const { clusters } = decodeKubeconfig(
    'clusters: [{name: a, cluster: {certificate-authority-data: "YWJj\\nZGVm", extensions: [{name: e, extension: {b: 1}}]}}]',
  );

  assert.equal(clusters.get('a')?.['certificate-authority-data']?.toString(), 'abcdef');
  assert.deepEqual(clusters.get('a')?.extensions?.get('e'), { b: 1 });
});

test('base64 is as strict as Go’s', () => {
  assert.deepEqual(decodeBase64('YWI='), Buffer.from('ab'));
  assert.deepEqual(decodeBase64('YQ=='), Buffer.from('a'));
  assert.deepEqual(decodeBase64('YW\r\nI=\n'), Buffer.from('ab'));
  assert.equal(decodeBase64('YWI=x'), 4);
  assert.equal(decodeBase64('YWI'), 0);
  assert.equal(decodeBase64('YW-_'), 2);
});
