import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseYaml } from '@flotilla/machinery';
import { runMc } from '../../testing/run-mc.ts';

const homeFolder = mkdtempSync(join(tmpdir(), 'kubectl-mc-'));
after(() => rmSync(homeFolder, { recursive: true, force: true }));
const file = join(homeFolder, '.kube', 'kubectl-mc-config.yaml');
const mc = (...argv: string[]) => runMc(argv, { homeFolder });

test('what is set is shown, and holds from then on', async () => {
  const set = await mc('config', 'set', 'execution.maxConcurrency', '50');
  assert.deepEqual(set, {
    code: 0,
    stdout: 'Property "execution.maxConcurrency" set.\n',
    stderr: '',
  });
  await mc('config', 'set', 'discovery.cacheTTL', '15m');
  await mc('config', 'set', 'output.colorize', 'false');
  await mc('config', 'set', 'access.order', 'properties,mapping');
  await mc('config', 'set', 'groups.prod', 'prod-{a,b},staging');
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const { stdout, stderr } = await mc('config', 'view', '--retries', '4');
  const shown = parseYaml(stdout).value as Record<string, Record<string, unknown>>;
  assert.equal(stderr, '');
  assert.equal(shown['execution']?.['maxConcurrency'], 50);
  assert.equal(shown['execution']?.['retries'], 4);
  assert.equal(shown['discovery']?.['cacheTTL'], '15m0s');
  assert.equal(shown['output']?.['colorize'], 'never');
  assert.deepEqual(shown['access']?.['order'], ['properties', 'mapping']);
  assert.deepEqual(shown['groups']?.['prod'], { clusters: ['prod-{a,b}', 'staging'] });
});

test('what is shown is a config file that says the same', async () => {
  const { stdout } = await mc('config', 'view');
  writeFileSync(file, stdout);
  const again = await mc('config', 'view');
  assert.deepEqual(again, { code: 0, stdout, stderr: '' });
  const json = await mc('config', 'view', '-o', 'json');
  assert.deepEqual(JSON.parse(json.stdout), parseYaml(stdout).value);
});

test('what could not be read afterwards is not written', async () => {
  const before = readFileSync(file, 'utf8');
  const cases: readonly [string[], RegExp][] = [
    [
      ['execution.maxConcurrency', 'many'],
      /^error: Cannot set execution\.maxConcurrency to "many": must be a whole/,
    ],
    [
      ['execution.maxConcurency', '5'],
      /there is no such key\n\nDid you mean this\?\n\texecution\.maxConc/,
    ],
    [['frob', '5'], /there is no such key\nThe keys are hub\.context, /],
    [['execution.retries'], /KEY and VALUE are needed/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await mc('config', 'set', ...args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  }
  assert.equal(readFileSync(file, 'utf8'), before);
});
