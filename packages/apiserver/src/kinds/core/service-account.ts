import type { KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from './cells.ts';

const MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

/** An identity for pods; of its secrets only the names are kept. */
export const serviceAccount: KindBehaviour<ServiceAccount> = {
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings: (object, old) => {
    if (!hasMountableSecrets(object) || (old !== undefined && hasMountableSecrets(old))) return [];
    return [
      `metadata.annotations[${MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
  },
  cells: (object, { now }) => [nameCell(object), object.secrets?.length ?? 0, age(object, now)],
};

function keepSecretNames(object: ServiceAccount): void {
  if (object.secrets === undefined) return;
  object.secrets = object.secrets.map(({ name }) => (name ? { name } : {}));
}

function hasMountableSecrets(object: ServiceAccount): boolean {
  return Object.hasOwn(object.metadata.annotations ?? {}, MOUNTABLE_SECRETS);
}
