// What `kubectl mc wait` says of one cluster, compared with the real kubectl, on a real server and on ours.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Api, apiOf } from '../api.ts';
import { SIDES, type Side, startSide } from '../sides.ts';
import { type McSide, mcSide, type Printed } from './mc-side.ts';

const PODS = '/api/v1/namespaces/default/pods';
const READY = '--for=condition=Ready';

function pod(name: string, labels = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: {
      serviceAccountName: 'runner',
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'nginx' }],
    },
  };
}

/** Waits that end by themselves. */
const COMMANDS: readonly (readonly string[])[] = [
  [READY, 'pod/ready'],
  [READY, 'pod', 'ready'],
  ['--for=condition=ready=TRUE', 'pod/ready', '--timeout=0'],
  ['--for=condition=Ready=false', 'pod/unready'],
  [READY, 'pod/unready', '--timeout=0'],
  [READY, 'pod/unready', '--timeout=1s'],
  [READY, 'pod/unready', 'pod/other', '--timeout=1s'],
  [READY, 'pods', '-l', 'app=ready'],
  [READY, 'pods', '-l', 'app=none'],
  [READY, 'pods', '--field-selector', 'metadata.name=ready'],
  [READY, 'pods', '--all', '-A', '--timeout=0'],
  [READY, 'pod/none'],
  [READY, 'pod/ready', 'pod/none'],
  [READY, 'gadget/x'],
  [READY, 'pods'],
  [READY],
  [READY, '-l', 'a=b'],
  [READY, 'pod', 'ready', '-l', 'a=b'],
  [READY, 'pod/ready', '-l', 'a=b'],
  [READY, 'pod/ready', '-A'],
  [READY, 'pod/ready', '-o', 'name'],
  [READY, 'pod/ready', '-o', 'jsonpath={.metadata.name}{"\n"}'],
  ['--for=create', 'pod/ready'],
  ['--for=create', 'pod/none', '--timeout=1s'],
  ['--for=create', 'pods', '-l', 'app=ready'],
  ['--for=delete', 'pod/none'],
  ['--for=delete', 'pods', '-l', 'app=none'],
  ['--for=delete', 'pod/ready', '--timeout=0'],
  ['--for=delete', 'pod/ready', '--timeout=1s'],
  ['--for=jsonpath={.status.phase}=Pending', 'pod/ready'],
  ['--for=jsonpath=.status.phase=Pending', 'pod/ready'],
  ['--for=jsonpath={.status.phase}', 'pod/ready'],
  ['--for=jsonpath={.status.nothing}', 'pod/ready', '--timeout=1s'],
  ['--for=jsonpath={.status.phase}=Running', 'pod/ready', '--timeout=0'],
  ['--for=jsonpath={.status.conditions[?(@.type=="Ready")].status}=True', 'pod/ready'],
  ['--for=jsonpath={.spec.terminationGracePeriodSeconds}=30', 'pod/ready'],
  ['--for=jsonpath={.metadata}=x', 'pod/ready'],
  ['--for=jsonpath={.spec.containers[*].name}{.kind}', 'pod/ready'],
  ['--for=jsonpath={.metadata.labels.*}', 'pod/two'],
  ['--for=jsonpath={.spec.containers[7].name}', 'pod/ready'],
  ['--for=jsonpath={.a}=', 'pod/ready'],
  ['--for=jsonpath={.a}=b=c', 'pod/ready'],
  ['--for=jsonpath={.a[}', 'pod/ready'],
  ['--for=jsonpath=', 'pod/ready'],
  ['--for=ready', 'pod/ready'],
  ['pod/ready'],
];

/** Where kubectl has one code for everything that is not well, ours tells what was not met in time from the rest. */
function withoutCode4(printed: Printed): Printed {
  return { ...printed, code: printed.code === 4 ? 1 : printed.code };
}

for (const name of new Set(SIDES)) {
  describe(`on a server that is ${name}`, { timeout: 300_000 }, () => {
    let side: Side;
    let api: Api;
    let both: McSide;

    const setReady = (object: string, status: string) => {
      const conditions = [{ type: 'Ready', status, observedGeneration: 1 }];
      const patch = JSON.stringify({ status: { conditions } });
      return both.kubectl([
        'patch',
        'pod',
        object,
        '--subresource=status',
        '--type=merge',
        '-p',
        patch,
      ]);
    };

    before(async () => {
      side = await startSide(name);
      api = apiOf(side);
      await api.until('/api/v1/namespaces/default', ({ code }) => code === 200);
      await api.create('/api/v1/namespaces/default/serviceaccounts', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'runner' },
      });
      for (const object of [
        pod('ready', { app: 'ready' }),
        pod('unready'),
        pod('other'),
        pod('two', { a: '1', b: '2' }),
      ]) {
        await api.create(PODS, object);
      }
      both = mcSide(side);
      assert.equal((await setReady('ready', 'True')).code, 0);
      assert.equal((await setReady('unready', 'False')).code, 0);
    });
    after(async () => {
      await both[Symbol.asyncDispose]();
      api[Symbol.dispose]();
      await side.stop();
    });

    test('waits that end by themselves say what kubectl says', async () => {
      for (const args of COMMANDS) {
        const [wanted, got] = await Promise.all([
          both.kubectl(['wait', ...args]),
          both.mc(['wait', ...args, '--cluster-column=none']),
        ]);
        assert.deepEqual(withoutCode4(got), wanted, `kubectl wait ${args.join(' ')}`);
      }
    });

    test('both see what happens while they wait', async () => {
      await api.create(PODS, pod('late'));
      const args = ['wait', READY, 'pod/late', '--timeout=30s'];
      const waits = [both.kubectl(args), both.mc([...args, '--cluster-column=none'])];

      assert.equal((await setReady('late', 'False')).code, 0);
      assert.equal((await setReady('late', 'True')).code, 0);

      const met = { code: 0, stdout: 'pod/late condition met\n', stderr: '' };
      assert.deepEqual(await Promise.all(waits), [met, met]);
    });
  });
}
