import { realGet } from '../real-kubernetes/real-get.ts';
import { startReal } from '../real-kubernetes/start-real.ts';

/** Reads a path of the real server as JSON. */
export type Ask = (path: string, accept?: string) => Promise<unknown>;

/** Runs a generator against a fresh real server, with the named controllers beside it. */
export async function withRealServer<T>(
  options: { readonly controllers?: readonly string[] },
  use: (ask: Ask) => Promise<T>,
): Promise<T> {
  const real = await startReal(options);
  try {
    return await use(async (path, accept) => {
      const body = await realGet(real, path, accept);
      return JSON.parse(body.toString());
    });
  } finally {
    await real.stop();
  }
}
