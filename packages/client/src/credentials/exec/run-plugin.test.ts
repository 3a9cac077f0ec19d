import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@flotilla/machinery';
import { runPlugin } from './run-plugin.ts';

// This file is also the program that ends while its plugin runs.
if (process.argv[2] === 'plugin-run') void endDuringPlugin(process.argv[3] ?? '', process.argv[4]);
else defineTests();

function defineTests(): void {
  for (const how of ['while it runs', 'while it is being ended']) {
    test(`a plugin does not outlive whoever ran it: ${how}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'run-plugin-'));
      try {
        const self = fileURLToPath(import.meta.url);
        const child = spawn(process.execPath, [self, 'plugin-run', folder, how], {
          stdio: 'inherit',
        });
        const [code] = await once(child, 'exit');

        assert.equal(code, 7);
        const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
        while (isRunning(pid)) await systemClock.wait(10);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
}

async function endDuringPlugin(folder: string, how: string | undefined): Promise<void> {
  const pidFile = join(folder, 'pid');
  const script = join(folder, 'plugin');
  writeFileSync(
    script,
    `#!/bin/sh\ntrap '' TERM\necho $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'\nwhile :; do sleep 1; done\n`,
    { mode: 0o755 },
  );
  const stop = new AbortController();
  const running = runPlugin(
    {
      command: 'plugin',
      path: script,
      args: [],
      env: { PATH: '/usr/bin:/bin' },
      isInteractive: false,
      timeoutMs: 0,
      clock: systemClock,
      stderr: undefined,
    },
    stop.signal,
  );
  running.catch(() => {});
  while (!existsSync(pidFile)) await systemClock.wait(10);
  if (how === 'while it is being ended') stop.abort(new Error('enough'));
  process.exit(7);
}

/** What has no parent any more may be left unburied; it does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
