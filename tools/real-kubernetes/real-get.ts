import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import type { RealKubernetes } from './start-real.ts';

/** Asks the real server for a path as its admin and gives back the body of a 200. */
export async function realGet(
  real: Pick<RealKubernetes, 'url' | 'token' | 'caFile'>,
  path: string,
  accept = 'application/json',
): Promise<Buffer> {
  const headers = { accept, authorization: `Bearer ${real.token}` };
  const ca = readFileSync(real.caFile);
  return new Promise((resolve, reject) => {
    const call = get(`${real.url}${path}`, { headers, ca, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`Cannot get "${path}": ${response.statusCode} ${body}`));
      });
    });
    call.on('error', reject);
  });
}
