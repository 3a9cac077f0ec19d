import { subjectProblem } from '../authz/signer-subject.ts';
import { refuseUnknownSigner } from '../authz/signers.ts';
import type { Operation } from '../objects/engine.ts';
import type { NamespaceIndex } from './namespace-index.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import type { AdmissionPlugin, PluginDeps } from './plugin.ts';
import { refuse } from './refuse.ts';

const updates = (operation: Operation): boolean => operation === 'UPDATE';

/** Plug-ins without which the server's own promises would not hold. */
export function standardPlugins(
  { authorizer }: PluginDeps,
  namespaces: NamespaceIndex,
): readonly AdmissionPlugin[] {
  return [
    {
      name: 'NamespaceLifecycle',
      handles: (operation) => operation !== 'CONNECT',
      mutate: (admission) => namespaceLifecycle(namespaces, admission),
    },
    {
      name: 'CertificateApproval',
      handles: updates,
      validate: (admission) => {
        if (admission.subresource === 'approval') refuseUnknownSigner(authorizer, admission);
      },
    },
    {
      name: 'CertificateSigning',
      handles: updates,
      validate: (admission) => {
        if (admission.subresource === 'status') refuseUnknownSigner(authorizer, admission);
      },
    },
    {
      name: 'CertificateSubjectRestriction',
      handles: (operation) => operation === 'CREATE',
      validate: (admission) => {
        const problem = subjectProblem(admission);
        if (problem !== undefined) throw refuse(admission, problem);
      },
    },
  ];
}
