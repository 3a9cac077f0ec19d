// Read by the compiler alone: each line that must not compile says so, and fails the build when it does.
import type { KubeObject } from '@flotilla/machinery';
import { defineKind } from '@flotilla/machinery';
import { defineController } from '../controller/define-controller.ts';
import type { Pass } from '../controller/pass.ts';
import type { ConditionSet, ReasonIn } from './condition-set.ts';

const conditions = {
  CredentialValid: ['Verified', 'NotTried', 'Rejected'],
  NamespaceCreated: { reasons: ['Created', 'Forbidden'], gatesReady: false },
} as const satisfies ConditionSet;

interface Registration extends KubeObject {
  spec: { endpoint: string };
  status: { version?: string };
}

const Registrations = defineKind<Registration>({
  group: 'test.flotilla.dev',
  version: 'v1',
  kind: 'Registration',
  plural: 'registrations',
  namespaced: true,
});

/** Closed sets: reasons belong to their condition. */
export function reasonsAreClosed(pass: Pass<Registration, typeof conditions>): void {
  pass.mark('CredentialValid', 'Verified', 'ok');
  pass.unknown('CredentialValid', 'NotTried', 'ok');
  pass.unmet('NamespaceCreated', 'Forbidden', 'ok');
  // @ts-expect-error: misspelt
  pass.mark('CredentialValid', 'Verifed', 'no');
  // @ts-expect-error: a reason of another condition
  pass.mark('CredentialValid', 'Created', 'no');
  // @ts-expect-error: no such condition
  pass.mark('Ready', 'Verified', 'no');
  // @ts-expect-error: misspelt
  throw pass.stalled('CredentialValid', 'Rejcted', 'no');
}

/** What is observed is everyone's, and nobody's to change; the copy is. */
export function observedIsReadonly(pass: Pass<Registration, typeof conditions>): void {
  pass.object.status.version = pass.observed.spec.endpoint;
  // @ts-expect-error: read only
  pass.observed.status.version = '1';
  // @ts-expect-error: read only, at any depth
  pass.observed.metadata.labels = {};
}

/** A definition brings object and conditions to the body. */
export const controller = defineController({
  name: 'registration',
  for: Registrations,
  conditions,
  reconcile: (pass) => {
    pass.mark('CredentialValid', 'Verified', pass.object.spec.endpoint);
    // @ts-expect-error: misspelt
    pass.mark('CredentialValid', 'Verfied', '');
    // @ts-expect-error: no such field
    return { afterMs: 1, after: pass.object.spec.nothing };
  },
});

/** Every reason can be named. */
export const reason: ReasonIn<typeof conditions, 'NamespaceCreated'> = 'Created';

// @ts-expect-error: reasons are texts
export const wrong = { Ready: [1] } as const satisfies ConditionSet;
