import { basename, dirname, isAbsolute } from 'node:path';
import { lookPathIn } from '@flotilla/client';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';

/** The kubectl that called us (KUBECTL_PATH), else the one on PATH. Throws UsageError when there is neither. */
export async function findKubectl({ env }: Pick<Io, 'env'>): Promise<string> {
  const named = env['KUBECTL_PATH'] ?? '';
  if (named !== '') {
    const file = isAbsolute(named) ? await lookPathIn(dirname(named))(basename(named)) : undefined;
    if (file !== undefined) return file;
    throw new UsageError(
      `Cannot run kubectl: KUBECTL_PATH is "${named}", which is no absolute path of a program`,
    );
  }
  const found = await lookPathIn(env['PATH'] ?? '')('kubectl');
  if (found !== undefined) return found;
  throw new UsageError(
    'Cannot run kubectl: there is none on PATH. Install it, or say where it is with KUBECTL_PATH',
  );
}
