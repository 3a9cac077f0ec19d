import { CredentialError } from './credential-error.ts';
import { fileErrorText } from './file-error.ts';

/** Reads a whole file. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

/** Reads a file that a credential needs, or says in kubectl's words why it cannot be. */
export async function readBytes(path: string, readFile: ReadFile): Promise<Buffer> {
  try {
    return Buffer.from(await readFile(path));
  } catch (error) {
    throw new CredentialError(fileErrorText(path, error), { cause: error });
  }
}
