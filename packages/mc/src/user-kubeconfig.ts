import { type Kubeconfig, loadKubeconfig } from '@flotilla/client';
import type { Io } from './io.ts';

/** The user's kubeconfig, merged as kubectl does: `path` alone when there is one. */
export async function userKubeconfig(
  { env, homeFolder, cwd }: Pick<Io, 'env' | 'homeFolder' | 'cwd'>,
  path: string | undefined,
): Promise<Kubeconfig> {
  return await loadKubeconfig({ env, home: homeFolder, cwd, path });
}
