import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Admission } from '../objects/engine.ts';
import { createChain } from './chain.ts';
import { DEFAULT_PLUGINS, PLUGIN_ORDER } from './order.ts';
import type { AdmissionPlugin } from './plugin.ts';

describe('the chain of admission', () => {
  test("runs plug-ins in upstream's order, whatever order they come in", async () => {
    const seen: string[] = [];
    const names = ['ResourceQuota', 'NamespaceLifecycle', 'MutatingAdmissionWebhook', 'Priority'];
    using chain = createChain(names.map((name) => noting(name, seen)));

    await chain.mutate(admission());

    const order = ['NamespaceLifecycle', 'Priority', 'MutatingAdmissionWebhook', 'ResourceQuota'];
    assert.deepEqual(seen, order);
    assert.deepEqual(chain.names, order);
  });

  test('leaves out what is disabled and what nobody enabled', () => {
    const plugins = ['AlwaysPullImages', 'AlwaysDeny', 'Priority', 'LimitRanger'].map((name) =>
      noting(name, []),
    );
    using chain = createChain(plugins, { enable: ['AlwaysPullImages'], disable: ['Priority'] });

    assert.deepEqual(chain.names, ['LimitRanger', 'AlwaysPullImages']);
  });

  test('asks no plug-in about operations it does not handle', async () => {
    const seen: string[] = [];
    const plugin = { ...noting('Priority', seen), handles: () => false };
    using chain = createChain([plugin]);

    await chain.mutate(admission());
    await chain.validate(admission());

    assert.deepEqual(seen, []);
  });

  test('runs a second time when asked to, and never a third', async () => {
    const rounds: boolean[] = [];
    using chain = createChain([
      {
        name: 'Priority',
        handles: () => true,
        mutate: ({ reinvocation }) => {
          rounds.push(reinvocation?.isAgain ?? false);
          if (reinvocation !== undefined) reinvocation.isWanted = true;
        },
      },
    ]);

    await chain.mutate(admission());

    assert.deepEqual(rounds, [false, true]);
  });

  test('stops at the first refusal', async () => {
    const seen: string[] = [];
    const refusing: AdmissionPlugin = {
      name: 'LimitRanger',
      handles: () => true,
      validate: () => {
        throw new Error('no');
      },
    };
    using chain = createChain([noting('ResourceQuota', seen), refusing]);

    await assert.rejects(chain.validate(admission()), /no/);
    assert.deepEqual(seen, []);
  });

  test('takes a namespace for one that is in itself', async () => {
    let namespace = '';
    using chain = createChain([
      {
        name: 'Priority',
        handles: () => true,
        validate: (seen) => {
          namespace = seen.namespace;
        },
      },
    ]);

    await chain.validate({ ...admission(), def: { group: '', resource: 'namespaces' } as never });

    assert.equal(namespace, 'a');
  });

  test('knows the place of every default plug-in', () => {
    for (const name of DEFAULT_PLUGINS) assert.ok(PLUGIN_ORDER.includes(name), name);
  });
});

function noting(name: string, seen: string[]): AdmissionPlugin {
  const note = (): void => {
    seen.push(name);
  };
  return { name, handles: () => true, mutate: note, validate: note };
}

function admission(): Admission {
  return {
    tenant: 'root',
    def: { group: '', resource: 'configmaps' } as Admission['def'],
    operation: 'CREATE',
    subresource: '',
    namespace: '',
    name: 'a',
    object: undefined,
    old: undefined,
    user: { name: 'u', groups: [] },
    dryRun: false,
    warn: () => {},
  };
}
