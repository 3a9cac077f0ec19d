import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFlags } from './read-flags.ts';

describe('flags of kube-apiserver', () => {
  test('come with an equals sign or a space, and may repeat', () => {
    const { values, problems } = readFlags([
      '--bind-address=127.0.0.1',
      '--secure-port',
      '0',
      '--service-account-issuer=https://a',
      '--service-account-issuer',
      'https://b=c',
      '--cert-dir=',
    ]);

    assert.deepEqual(problems, []);
    assert.deepEqual(Object.fromEntries(values), {
      'bind-address': ['127.0.0.1'],
      'secure-port': ['0'],
      'service-account-issuer': ['https://a', 'https://b=c'],
      'cert-dir': [''],
    });
  });

  test('that are true or false take no word after them', () => {
    const { values, problems } = readFlags(['--anonymous-auth', '--allow-privileged=false']);

    assert.deepEqual(problems, []);
    assert.deepEqual(values.get('anonymous-auth'), ['true']);
    assert.deepEqual(values.get('allow-privileged'), ['false']);
  });

  test('that nobody knows are named once, with what looks like their values', () => {
    const { values, ignored, problems } = readFlags([
      '--no-such-flag',
      'its-value',
      '--no-such-flag=again',
      '--another',
      '--secure-port=1',
      '-v',
      '2',
      '--v=4',
      '--etcd-prefix=/x',
    ]);

    assert.deepEqual(problems, []);
    assert.deepEqual(ignored, ['no-such-flag', 'another']);
    assert.deepEqual(values.get('secure-port'), ['1']);
  });

  test('are all there is: a word of its own or a missing value is an error', () => {
    assert.deepEqual(readFlags(['serve', '--cert-dir']).problems, [
      'Cannot use argument "serve": there are only flags',
      'Cannot use --cert-dir: it needs a value',
    ]);
  });

  test('ask for help or the version wherever they stand', () => {
    assert.equal(readFlags(['--secure-port=1', '--help']).wantsHelp, true);
    assert.equal(readFlags(['-h']).wantsHelp, true);
    assert.equal(readFlags(['--version']).wantsVersion, true);
    assert.equal(readFlags(['--version=raw']).wantsVersion, true);
    assert.equal(readFlags(['--version=false']).wantsVersion, false);
  });
});
