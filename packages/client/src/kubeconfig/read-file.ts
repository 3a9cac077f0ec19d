import { readFile } from 'node:fs';
import { promisify } from 'node:util';

/** `readFile` of `node:fs/promises`, without that module: it takes longer to load than a kubeconfig to read. */
export const readFromDisk: (path: string) => Promise<Buffer> = promisify(readFile);
