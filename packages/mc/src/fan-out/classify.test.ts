import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CredentialError, KubeconfigError, TransportError } from '@flotilla/client';
import { forbiddenError, notFound, StatusError, unauthorized } from '@flotilla/machinery';
import type { Route } from '../fleet/route.ts';
import { BrokenPipe, Interrupted } from '../io.ts';
import { accessTo } from '../testing/raw-member.ts';
import { Absent, noSuchType, PartialAnswer } from './answer-errors.ts';
import { classify, notStarted } from './classify.ts';
import { FailedFast, TimeLimit } from './endings.ts';
import { isInClusterName } from './in-cluster-name.ts';
import { loginHint } from './login-hint.ts';
import { routeOf } from './testing/test-fleet.ts';

const route = (changes: Partial<Route> = {}) =>
  routeOf(accessTo('https://c1.example.com:6443'), changes);
const statusOf = (error: unknown) => classify(error, route()).status;

test('a refusal of the server is told by its code, in its own words', () => {
  const pods = { group: '', resource: 'pods' };
  assert.equal(statusOf(unauthorized()), 'unauthorized');
  assert.deepEqual(classify(forbiddenError(pods, 'x', 'User "u" may not'), route()), {
    status: 'forbidden',
    failure: {
      reason: 'Forbidden',
      code: 403,
      message: 'pods "x" is forbidden: User "u" may not',
    },
  });
  assert.deepEqual(classify(notFound(pods, 'x'), route()), {
    status: 'absent',
    failure: { reason: 'NotFound', code: 404, message: 'pods "x" not found' },
  });
  const { status, failure } = classify(new StatusError(500, '', ''), route());
  assert.deepEqual(
    [status, failure.reason, failure.message],
    ['error', 'Error', 'the server answered 500'],
  );
  assert.equal(statusOf(new Error('while listing', { cause: unauthorized() })), 'unauthorized');
});

test('what kept a server from answering has a status for each cause', () => {
  const faults = {
    unreachable: 'unreachable',
    proxy: 'unreachable',
    closed: 'unreachable',
    timeout: 'timeout',
    tls: 'tls',
    redirect: 'error',
    malformed: 'error',
    'too-large': 'error',
    credential: 'noaccess',
    aborted: 'cancelled',
  } as const;
  for (const [fault, status] of Object.entries(faults)) {
    const error = new TransportError(fault as keyof typeof faults, `Cannot GET: ${fault}`);
    assert.equal(statusOf(error), status, fault);
  }
});

test('MC-43 a failure of TLS names where the certificate authority came from', () => {
  const error = new TransportError('tls', 'Cannot trust "https://c1": unknown authority');
  const { failure } = classify(error, route({ caSource: 'context "x" of ~/.kube/config' }));
  assert.match(failure.message, /^with the certificate authority of context "x" of/);
});

test('what is not there is absent: an object, a type, a match', () => {
  assert.equal(statusOf(new Absent('no pod matches "web-*"')), 'absent');
  assert.deepEqual(classify(noSuchType('widgets'), route()).failure, {
    reason: 'NoSuchType',
    message: 'the server doesn\'t have a resource type "widgets"',
  });
  const ofDiscovery = new Error('the server doesn\'t have a resource type "widgets"');
  assert.deepEqual(classify(ofDiscovery, route()), classify(noSuchType('widgets'), route()));
});

test('MC-45 a missing plugin is named with the install hint of its owner, without the essay between', () => {
  const text = `getting credentials: exec: executable aws not found

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs`;
  const wrapped = (message: string) =>
    new TransportError('credential', 'Cannot get a credential for "https://c1": …', {
      cause: new CredentialError(message),
    });
  assert.deepEqual(classify(wrapped(`${text}\n\nbrew install\n  awscli\u001b[2J`), route()), {
    status: 'noaccess',
    failure: {
      reason: 'PluginNotFound',
      message: 'getting credentials: exec: executable aws not found',
      hint: 'brew install awscli^[[2J',
    },
  });
  assert.equal(
    classify(wrapped(text), route()).failure.hint,
    'install aws, or map another context: kubectl mc setup',
  );
});

test('a plugin that fails has no access, and the hint is how to log in', () => {
  const error = new CredentialError('getting credentials: exec: executable aws failed with 255');
  const { status, failure } = classify(error, route({ command: 'aws' }));
  assert.deepEqual([status, failure.hint], ['noaccess', 'run: aws sso login']);
  assert.equal(statusOf(new KubeconfigError('context "x" does not exist')), 'noaccess');
});

test('hints follow the command that makes the credential', () => {
  const hint = (command?: string) => loginHint({ command, source: 'context "x"' });
  assert.equal(hint('/opt/homebrew/bin/aws'), 'run: aws sso login');
  assert.equal(hint('C:\\sdk\\gke-gcloud-auth-plugin.exe'), 'run: gcloud auth login');
  assert.equal(hint('kubelogin'), 'run: az login');
  assert.equal(hint('constructor'), 'check that "constructor" is logged in');
  assert.equal(hint(), 'renew the credential of context "x"');
});

test('MC-21 a name that only the hub knows has the hint to map a context or go through the hub', () => {
  const lookup = (server: string, changes: Partial<Route> = {}) =>
    classify(
      new TransportError('unreachable', `Cannot reach "${server}": its name is not known`, {
        cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }),
      }),
      route({ kind: 'provider', server, ...changes }),
    );
  const service = 'https://cluster-proxy-user.open-cluster-management-addon:9092/c1';
  assert.equal(lookup(service).status, 'unreachable');
  assert.match(lookup(service).failure.hint ?? '', /map a context .* or go through the hub/);
  assert.equal(lookup('https://api.example.com').failure.hint, undefined);
  assert.equal(lookup(service, { kind: 'kubeconfig' }).failure.hint, undefined);
});

test('names of Services are told from those of the world', () => {
  for (const name of ['a.b.svc', 'a.b.svc.cluster.local', 'proxy.fleet-system', 'gateway']) {
    assert.equal(isInClusterName(`https://${name}:443/x`), true, name);
  }
  for (const name of ['api.example.com', 'example.com', '10.0.0.1', 'x.cloud', 'eks.dev']) {
    assert.equal(isInClusterName(`https://${name}`), false, name);
  }
  assert.equal(isInClusterName('no url'), false);
});

test('ends from outside are told as what they are, however deep they are wrapped', () => {
  const wrapped = (cause: Error) =>
    new TransportError('aborted', 'Cannot GET "https://c1": the caller gave up', { cause });
  const message = (cause: Error) => classify(wrapped(cause), route()).failure.message;
  assert.equal(
    message(new TimeLimit('cluster', 90_000)),
    'timeout after 1m30s (https://c1.example.com:6443)',
  );
  assert.match(message(new TimeLimit('run', 60_000)), /^timeout: the deadline of 1m has passed/);
  assert.equal(statusOf(wrapped(new Interrupted(130))), 'cancelled');
  assert.equal(statusOf(wrapped(new BrokenPipe())), 'cancelled');
  assert.equal(statusOf(wrapped(new FailedFast())), 'cancelled');
  assert.equal(notStarted(new Interrupted(130)).failure.reason, 'NotStarted');
});

test('nothing that an answer held is in the text about JSON that cannot be read', () => {
  let thrown: unknown;
  try {
    JSON.parse('{"token": "s3cr3t');
  } catch (error) {
    thrown = error;
  }
  const { status, failure } = classify(thrown, route());
  assert.deepEqual([status, failure.reason], ['error', 'Malformed']);
  assert.doesNotMatch(failure.message, /s3cr3t/);
});

test('anything else is an error in one line that is safe to print', () => {
  assert.deepEqual(classify(new Error('bad\n\u001b]0;x\u0007'), route()), {
    status: 'error',
    failure: { reason: 'Error', message: 'bad\\n^[]0;x^G' },
  });
  assert.equal(classify('text', route()).failure.message, 'text');
  assert.equal(classify(new Error(''), route()).failure.message, 'it failed');
  assert.match(classify(new TypeError('x is null'), route()).failure.message, /make sense/);
  assert.equal(statusOf(new PartialAnswer([], unauthorized())), 'unauthorized');
  const loop = new Error('a');
  loop.cause = loop;
  assert.equal(statusOf(loop), 'error');
});
