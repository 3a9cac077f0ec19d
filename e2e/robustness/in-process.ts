import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type StartOptions, startServer } from '@flotilla/apiserver';
import type { Target } from './client.ts';
import { readTarget, temporaryFolder } from './flotilla-process.ts';

/** A server on real sockets and real files, in this process. */
export interface InProcess extends AsyncDisposable {
  readonly target: Target;
  readonly kubeconfigFile: string;
  readonly log: readonly string[];
}

/** Starts one; at its end nothing may have been our own error. */
export async function startInProcess(options: Partial<StartOptions> = {}): Promise<InProcess> {
  const folder = temporaryFolder();
  const kubeconfigFile = join(folder.path, 'kubeconfig');
  const log: string[] = [];
  const server = await startServer({
    dataFolder: join(folder.path, 'data'),
    kubeconfigFile,
    port: 0,
    log: (line) => log.push(line),
    ...options,
  });
  return {
    target: readTarget(kubeconfigFile),
    kubeconfigFile,
    log,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      folder[Symbol.dispose]();
      assert.deepEqual(
        log.filter((line) => line.startsWith('error:')),
        [],
      );
    },
  };
}
