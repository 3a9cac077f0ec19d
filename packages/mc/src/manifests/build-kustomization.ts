import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';

const run = promisify(execFile);

/** No kustomization is larger. */
const MAX_BYTES = 256 << 20;

/** Has kubectl build a kustomization, and gives its text; kubectl knows how, and we do not. */
export async function buildKustomization(
  folder: string,
  { env, cwd, signal }: Pick<Io, 'env' | 'cwd' | 'signal'>,
): Promise<string> {
  const kubectl = env['KUBECTL_PATH'] ?? 'kubectl';
  try {
    const { stdout } = await run(kubectl, ['kustomize', '--', folder], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      signal,
      maxBuffer: MAX_BYTES,
    });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr = '', message } = error as Error & { code?: unknown; stderr?: string };
    if (code === 'ENOENT') {
      throw new UsageError(
        `Cannot build the kustomization "${folder}": it needs kubectl, which is not on PATH`,
      );
    }
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
      throw new UsageError(
        `Cannot build the kustomization "${folder}": it is larger than ${MAX_BYTES >> 20} MiB`,
      );
    }
    throw new UsageError(stderr.trim().replace(/^error: /, '') || message);
  }
}
