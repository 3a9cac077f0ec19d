import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateRequest } from '../../packages/apiserver/src/testing/certificate-request.ts';

/** Makes the folder scripts run in, with a key and the request for a certificate in it. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder);
  const { pem, key } = certificateRequest({ user: 'jane', groups: ['dev'] });
  writeFileSync(join(folder, 'jane.csr'), pem);
  writeFileSync(join(folder, 'jane.key'), key.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });
}
