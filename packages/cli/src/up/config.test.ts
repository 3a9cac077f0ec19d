import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseExecProfiles } from '@flotilla/hub';
import { UsageError } from '../usage-error.ts';
import { upConfig } from './config.ts';
import { embeddedHubConfig } from './hub-controllers.ts';

const world = {
  homeFolder: '/home/ann',
  cwd: '/srv',
  realPath: (path: string) => path.replace('/home/ann/alias/', '/home/ann/.kube/'),
};

describe('upConfig', () => {
  test('keeps data and kubeconfig in the home folder unless told otherwise', () => {
    assert.deepEqual(upConfig({}, world), {
      dataFolder: '/home/ann/.flotilla',
      kubeconfigFile: '/home/ann/.flotilla/kubeconfig',
      host: '127.0.0.1',
      port: 6443,
      advertiseAddress: undefined,
      serviceCidr: undefined,
      disabledControllers: [],
      isPlain: false,
      fleet: 3,
      dialsLoopback: true,
      execProfiles: [],
      simulates: false,
    });
  });

  test('writes the kubeconfig into the data folder that was chosen', () => {
    const config = upConfig({ data: 'here', port: '0' }, world);

    assert.equal(config.kubeconfigFile, '/srv/here/kubeconfig');
    assert.equal(config.port, 0);
  });

  test('refuses to write over the kubeconfig people keep their credentials in', () => {
    for (const kubeconfig of [
      '/home/ann/.kube/config',
      '/home/ann/.kube/../.kube//config',
      '../home/ann/.kube/config',
      '/home/ann/alias/config',
    ]) {
      assert.throws(() => upConfig({ kubeconfig }, world), UsageError, kubeconfig);
    }
  });

  test('refuses a controller there is not, and names those there are', () => {
    assert.throws(
      () => upConfig({ disableControllers: 'namespace,magic' }, world),
      /"magic": there are namespace, /,
    );
  });

  test('has no members on its own machine when others can reach it, unless it is told to', () => {
    const open = upConfig({ host: '0.0.0.0' }, world);
    assert.equal(open.fleet, 0);
    assert.equal(open.dialsLoopback, false);
    assert.equal(upConfig({ host: '0.0.0.0', fleet: '1' }, world).dialsLoopback, true);
    assert.equal(upConfig({ host: '::1', fleet: '0' }, world).dialsLoopback, true);
  });

  test('is a hub with a fleet unless it is told to be an API server alone', () => {
    const plain = upConfig({ disableControllers: 'namespace,hub' }, world);

    assert.equal(plain.isPlain, true);
    assert.equal(plain.fleet, 0);
    assert.deepEqual(plain.disabledControllers, ['namespace']);
    assert.equal(upConfig({ fleet: '0', simulate: true }, world).simulates, true);
    assert.throws(
      () => upConfig({ disableControllers: 'hub', fleet: '2' }, world),
      /without the hub/,
    );
    assert.throws(
      () => upConfig({ disableControllers: 'hub', execProfiles: 'x.yaml' }, world),
      /--exec-profiles without the hub/,
    );
    for (const fleet of ['-1', '51', 'many', '1.5', '']) {
      assert.throws(() => upConfig({ fleet }, world), /--fleet/, fleet);
    }
  });

  test('takes the commands that kubeconfigs of members may name', () => {
    const execProfiles = parseExecProfiles('profiles: [{name: aws, command: /usr/bin/aws}]');
    const config = upConfig({ execProfiles: 'x.yaml' }, { ...world, execProfiles });

    assert.deepEqual(
      embeddedHubConfig(config).execProfiles.map(({ name }) => name),
      ['aws'],
    );
  });

  test('tells every problem with the flags at once', () => {
    assert.throws(() => upConfig({ port: 'abc', data: '' }, world), {
      message:
        'Cannot use --port "abc": it must be a number from 0 to 65535\nCannot use --data "": it must name a directory',
    });
  });
});
