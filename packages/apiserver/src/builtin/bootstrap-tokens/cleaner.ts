import { isConflict, isNotFound } from '@flotilla/machinery';
import { BOOTSTRAP_TOKEN, expiryOf, type TokenSecret } from '../../authn/bootstrap-tokens.ts';
import { deleteObject } from '../../objects/delete-object.ts';
import type { Engine } from '../../objects/engine.ts';
import { findStored } from '../../objects/stored.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { BuiltinController } from '../controller.ts';
import { noWarnings, SYSTEM_USER } from '../system-user.ts';

/** Deletes bootstrap tokens the moment they expire. */
export function tokenCleanerController(engine: Engine, secrets: ResourceDef): BuiltinController {
  const prefix = `${secrets.prefix}kube-system/`;
  const mark = Buffer.from(`"${BOOTSTRAP_TOKEN}"`);
  return {
    name: 'token-cleaner',
    yields: true,
    initial: (tenant) => {
      using snapshot = engine.store.snapshot(tenant);
      return snapshot
        .range(prefix, { limit: Number.MAX_SAFE_INTEGER })
        .filter(({ value }) => value.includes(mark))
        .map(({ key }) => key.slice(prefix.length));
    },
    concerns: ({ key, value }) =>
      value !== undefined && key.startsWith(prefix) && value.includes(mark)
        ? [key.slice(prefix.length)]
        : [],
    sync: async (tenant, name) => {
      const target = { tenant, def: secrets, namespace: 'kube-system', name };
      const secret = findStored(engine, target)?.object as TokenSecret | undefined;
      if (secret?.type !== BOOTSTRAP_TOKEN) return undefined;
      const { isExpired, leftMs } = expiryOf(secret, engine.now());
      if (!isExpired) return leftMs;
      const { uid } = secret.metadata;
      await deleteObject(engine, {
        ...target,
        options: uid === undefined ? {} : { preconditions: { uid } },
        user: SYSTEM_USER,
        warn: noWarnings,
      }).catch((error: unknown) => {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      });
      return undefined;
    },
  };
}
