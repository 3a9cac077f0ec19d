import type { ParsedRequest } from '../../authn/parse-request.ts';
import { SIGNERS } from './request.ts';

const CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const SERVING_USAGES = ['digital signature', 'key encipherment', 'server auth'];

/** Why a signer does not sign such a request, in the words of its condition; undefined when it does. */
export function signerProblem(
  signer: string,
  request: ParsedRequest,
  usages: readonly string[],
): string | undefined {
  if (signer === SIGNERS.client) return clientProblem(usages);
  if (signer === SIGNERS.kubeletClient) return kubeletClientProblem(request, usages);
  return kubeletServingProblem(request, usages);
}

function clientProblem(usages: readonly string[]): string | undefined {
  for (const usage of usages) {
    if (!CLIENT_USAGES.includes(usage)) return `invalid usage for client certificate: ${usage}`;
  }
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
}

/** Why this is not a kubelet's request for its client certificate. */
export function kubeletClientProblem(
  request: ParsedRequest,
  usages: readonly string[],
): string | undefined {
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.addresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!isNode(request)) return 'subject common name does not begin with system:node:';
  return usagesProblem(usages, CLIENT_USAGES);
}

function kubeletServingProblem(
  request: ParsedRequest,
  usages: readonly string[],
): string | undefined {
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length === 0 && request.addresses.length === 0) {
    return 'DNS or IP subjectAltName is required';
  }
  if (request.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  const problem = usagesProblem(usages, SERVING_USAGES);
  if (problem !== undefined) return problem;
  return isNode(request) ? undefined : 'subject common name does not begin with system:node:';
}

function isOfNodes({ organizations }: ParsedRequest): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function isNode({ commonName }: ParsedRequest): boolean {
  return commonName.startsWith('system:node:');
}

/** Exactly these usages, or all of them but the one that only RSA keys have. */
function usagesProblem(usages: readonly string[], required: readonly string[]): string | undefined {
  const asked = [...new Set(usages)].sort().join();
  const withoutRsa = required.filter((usage) => usage !== 'key encipherment');
  if (asked === required.join() || asked === withoutRsa.join()) return undefined;
  return `usages did not match [${required.join(' ')}]`;
}
