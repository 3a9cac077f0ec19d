import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HubFlags, hubConfig } from './config.ts';

const world = {
  hostname: 'here',
  readFile: (path: string): string => {
    throw new Error(`no such file: ${path}`);
  },
};
const read = (flags: HubFlags) => hubConfig(flags, world);

describe('the flags of flotilla hub', () => {
  test('are all optional', () => {
    const { hub, leaseNamespace, metrics, webhook, installs } = read({});
    assert.equal(hub.gatewayNamespace, 'vela-system');
    assert.deepEqual(hub.endpoints, { allow: [], deny: [], allowsLoopback: false });
    assert.deepEqual(
      [leaseNamespace, metrics, webhook, installs],
      [undefined, undefined, undefined, true],
    );
  });

  test('say who may be dialled, read and run', () => {
    const { hub } = read({
      allowEndpoints: '10.0.0.0/8, *.example.com',
      denyEndpoints: '10.1.2.3',
      sourceNamespaces: 'all',
      allowLoopback: true,
      allowInsecureTls: true,
    });
    assert.deepEqual(hub.endpoints, {
      allow: ['10.0.0.0/8', '*.example.com'],
      deny: ['10.1.2.3'],
      allowsLoopback: true,
    });
    assert.equal(hub.sourceNamespaces, 'all');
    assert.equal(hub.allowInsecureTls, true);
    assert.deepEqual(read({ sourceNamespaces: 'a,b' }).hub.sourceNamespaces, ['a', 'b']);
  });

  test('elect a leader in the gateway namespace unless told otherwise', () => {
    const { leaseNamespace, identity } = read({ leaderElect: true, gatewayNamespace: 'gw' });
    assert.deepEqual([leaseNamespace, identity], ['gw', 'here']);
    const flags = { leaderElect: true, leaseNamespace: 'x', identity: 'me' };
    assert.deepEqual([read(flags).leaseNamespace, read(flags).identity], ['x', 'me']);
  });

  test('name addresses in the forms people write', () => {
    const at = (metricsAddress: string) => read({ metricsAddress }).metrics;
    assert.deepEqual(at('8080'), { host: '127.0.0.1', port: 8080 });
    assert.deepEqual(at(':8080'), { host: '127.0.0.1', port: 8080 });
    assert.deepEqual(at('0.0.0.0:8080'), { host: '0.0.0.0', port: 8080 });
    assert.deepEqual(at('[::]:8080'), { host: '::', port: 8080 });
  });

  test('are refused all at once', () => {
    const wrong = () =>
      read({
        gatewayNamespace: 'Not A Namespace',
        allowEndpoints: 'not a name',
        execProfiles: '/nowhere',
        concurrency: '0',
        metricsAddress: 'nothing',
        webhookService: 'x',
        logLevel: 'loud',
      });
    for (const flag of [
      '--gateway-namespace',
      'endpoint policy',
      '--exec-profiles',
      '--concurrency',
      '--metrics-address',
      '--webhook-service',
      '--log-level',
    ]) {
      assert.throws(wrong, (error: Error) => error.message.includes(flag), flag);
    }
  });
});
