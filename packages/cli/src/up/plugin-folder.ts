import { dirname } from 'node:path';
import { lookPathIn } from '@flotilla/client';

/**
 * The folder of the PATH that has `kubectl-mc`. npm adds one for what it starts, which another terminal of the same user
 * does not have.
 */
export async function pluginFolder(path: string): Promise<string | undefined> {
  const plugin = await lookPathIn(path)('kubectl-mc');
  return plugin === undefined ? undefined : dirname(plugin);
}
