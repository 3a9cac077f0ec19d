// kubectl logs on a real server and on ours: kwok, unmodified, plays the kubelet of both.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { logTail, startProcess } from '../../tools/real-kubernetes/server-process.ts';
import { compareTools } from '../compare-tools.ts';
import { BUILT_IN, SIDES, startSide } from '../sides.ts';

const run = promisify(execFile);

/** The kubelet's own, which nobody else has in this network namespace. */
const PORT = 10_250;

const folder = mkdtempSync(join(tmpdir(), 'flotilla-logs-'));
const sides = await Promise.all(SIDES.map((name) => startSide(name, { controllers: BUILT_IN })));
const kwok = startKwok(sides[0]?.kubeconfig ?? '');
after(async () => {
  await kwok.stop();
  await Promise.all(sides.map((side) => side.stop()));
  rmSync(folder, { recursive: true, force: true });
});

test("kubectl logs says the same on both servers, of what kwok's Logs kind says", async () => {
  await listening();

  assert.equal(await compareTools({ folder: 'e2e/logs', script: 'logs', sides }), '');
  // Not because both say nothing.
  for (const { kubeconfig, name } of sides) {
    const flags = ['--kubeconfig', kubeconfig, '--namespace=logs', '--tail=1'];
    const { stdout } = await run(binaryPath('kubectl'), ['logs', 'one', ...flags]);
    assert.equal(stdout, 'main says 4\n', name);
  }
});

function startKwok(kubeconfig: string) {
  const config = join(folder, 'logs.yaml');
  writeFileSync(
    config,
    logRules()
      .map((rule) => JSON.stringify(rule))
      .join('\n---\n'),
  );
  return startProcess({
    name: 'kwok',
    path: binaryPath('kwok'),
    // It manages no node: only its log server is needed.
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--config=${config}`,
      '--manage-nodes-with-label-selector=kwok=managed',
      `--server-address=127.0.0.1:${PORT}`,
    ],
    logFile: join(folder, 'kwok.log'),
  });
}

function logRules(): object[] {
  const rule = (pod: string, logs: object[]) => ({
    kind: 'Logs',
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    metadata: { name: pod, namespace: 'logs' },
    spec: { logs },
  });
  const log = (container: string, follow: boolean) => ({
    containers: [container],
    logsFile: logFile(container),
    previousLogsFile: logFile(`${container}-before`),
    follow,
  });
  return [
    idleStage(),
    rule('one', [log('main', true)]),
    rule('two', [log('first', false), log('left', true), log('right', false)]),
  ];
}

/** kwok does not start without a stage; this one fits no pod. */
function idleStage(): object {
  return {
    kind: 'Stage',
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    metadata: { name: 'idle' },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: { matchLabels: { 'example.com/idle': 'never' } },
      next: {},
    },
  };
}

/** In the form container runtimes write: time, stream, whole line or part of one, text. */
function logFile(name: string): string {
  const path = join(folder, `${name}.log`);
  const lines = Array.from({ length: 5 }, (_, second) => {
    const stream = second % 2 === 0 ? 'stdout' : 'stderr';
    return `2024-05-01T10:00:0${second}.000000000Z ${stream} F ${name} says ${second}\n`;
  });
  writeFileSync(path, lines.join(''));
  return path;
}

async function listening(): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(PORT, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    if (kwok.ended() !== undefined) break;
    await delay(50);
  }
  throw new Error(`Cannot use kwok: it does not listen\n${logTail(kwok.logFile)}`);
}
