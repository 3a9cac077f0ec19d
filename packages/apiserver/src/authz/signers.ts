import { deepEqual, forbiddenError, goQuote, type KubeObject } from '@flotilla/machinery';
import type { Admission } from '../objects/engine.ts';
import { groupResource } from '../resources/resource.ts';
import type { Authorizer } from './rbac.ts';

const GROUP = 'certificates.k8s.io';

/**
 * Who may write a request's approval may not thereby approve for every signer, least of all for the one whose
 * certificates open this server: `approve` and `sign` are rights of their own, per signer.
 */
export function refuseUnknownSigner(authorizer: Authorizer, admission: Admission): void {
  const { def, subresource, object, old } = admission;
  if (def.group !== GROUP || def.resource !== 'certificatesigningrequests') return;
  if (old === undefined || object === undefined) return;
  if (subresource === 'approval') check(authorizer, admission, { verb: 'approve', request: old });
  if (subresource !== 'status' || isSameAnswer(object, old)) return;
  check(authorizer, admission, { verb: 'sign', request: old });
}

function check(
  authorizer: Authorizer,
  { tenant, def, user }: Admission,
  { verb, request }: { verb: 'approve' | 'sign'; request: KubeObject },
): void {
  const signer = (request['spec'] as { signerName?: string } | undefined)?.signerName ?? '';
  const isAllowed = (name: string): boolean =>
    authorizer.decide(tenant, {
      user,
      verb,
      isResource: true,
      group: GROUP,
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
      path: '',
    }).allowed;
  // A right to `example.com/*` is one to all signers of that domain.
  if (isAllowed(signer) || isAllowed(`${signer.split('/')[0] ?? ''}/*`)) return;
  throw forbiddenError(
    groupResource(def),
    request.metadata.name ?? '',
    `user not permitted to ${verb} requests with signerName ${goQuote(signer)}`,
  );
}

function isSameAnswer(next: KubeObject, old: KubeObject): boolean {
  const answer = ({ status }: KubeObject): unknown => {
    const { certificate, conditions } = (status ?? {}) as Record<string, unknown>;
    return { certificate: certificate ?? '', conditions: conditions ?? [] };
  };
  return deepEqual(answer(next), answer(old));
}
