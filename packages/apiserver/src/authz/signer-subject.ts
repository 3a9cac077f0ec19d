import { DerError } from '../authn/der.ts';
import { parseRequest } from '../authn/parse-request.ts';
import type { Admission } from '../objects/engine.ts';

const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

/** Why nobody may ask for such a certificate; undefined when one may. Members of system:masters can do everything. */
export function subjectProblem({ def, subresource, object }: Admission): string | undefined {
  if (def.group !== 'certificates.k8s.io' || def.resource !== 'certificatesigningrequests') {
    return undefined;
  }
  if (subresource !== '' || object === undefined) return undefined;
  const spec = object['spec'] as { request?: string; signerName?: string } | undefined;
  if (spec?.signerName !== CLIENT_SIGNER) return undefined;
  try {
    const pem = Buffer.from(spec.request ?? '', 'base64').toString('latin1');
    return parseRequest(pem).organizations.includes('system:masters')
      ? `use of ${CLIENT_SIGNER} signer with system:masters group is not allowed`
      : undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const problem = error instanceof DerError ? error.message : 'its key cannot be read';
    return `failed to parse CSR: ${problem}`;
  }
}
