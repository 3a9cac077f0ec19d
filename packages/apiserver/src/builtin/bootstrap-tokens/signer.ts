import { deepCopy, deepEqual, isNotFound } from '@flotilla/machinery';
import {
  BOOTSTRAP_PREFIX,
  detachedSignature,
  signingToken,
  type TokenSecret,
} from '../../authn/bootstrap-tokens.ts';
import type { Engine } from '../../objects/engine.ts';
import { decodeStored, findStored } from '../../objects/stored.ts';
import { updateObject } from '../../objects/update-object.ts';
import { keyOf, type ResourceDef } from '../../resources/resource.ts';
import type { Tenant } from '../../storage/store.ts';
import type { BuiltinController } from '../controller.ts';
import { noWarnings, SYSTEM_USER } from '../system-user.ts';

const WORK = 'cluster-info';
const PLACE = { namespace: 'kube-public', name: 'cluster-info' };
const SIGNATURE = 'jws-kubeconfig-';

type Values = Record<string, string>;

/**
 * Signs kube-public/cluster-info with every token that may sign: who has a token and finds its signature knows that
 * the address and the authority in it are the cluster's.
 */
export function bootstrapSignerController(
  engine: Engine,
  configMaps: ResourceDef,
  secrets: ResourceDef,
): BuiltinController {
  const key = keyOf(configMaps, PLACE.namespace, PLACE.name);
  const tokens = `${secrets.prefix}kube-system/${BOOTSTRAP_PREFIX}`;
  return {
    name: 'bootstrap-signer',
    yields: true,
    initial: () => [WORK],
    concerns: (change) => (change.key === key || change.key.startsWith(tokens) ? [WORK] : []),
    sync: async (tenant) => {
      const target = { tenant, def: configMaps, ...PLACE };
      const found = findStored(engine, target)?.object['data'] as Values | undefined;
      if (found === undefined || !('kubeconfig' in found)) return undefined;
      const signers = signingTokens(engine, { tenant, secrets, prefix: tokens });
      if (deepEqual(signed(found, signers), found)) return undefined;
      await updateObject(engine, {
        ...target,
        subresource: '',
        change: (current) => {
          const next = deepCopy(current);
          const data = (next['data'] ?? {}) as Values;
          if ('kubeconfig' in data) next['data'] = signed(data, signers);
          return next;
        },
        user: SYSTEM_USER,
        dryRun: false,
        warn: noWarnings,
      }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      return undefined;
    },
  };
}

/** The same data with the signatures there should be, and no others. */
function signed(data: Values, tokens: readonly { id: string; secret: string }[]): Values {
  const content = data['kubeconfig'] ?? '';
  const others = Object.entries(data).filter(([name]) => !name.startsWith(SIGNATURE));
  const signatures = tokens.map((token) => [
    `${SIGNATURE}${token.id}`,
    detachedSignature(content, token),
  ]);
  return Object.fromEntries([...others, ...signatures]) as Values;
}

function signingTokens(
  engine: Engine,
  { tenant, secrets, prefix }: { tenant: Tenant; secrets: ResourceDef; prefix: string },
): { id: string; secret: string }[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot
    .range(prefix, { limit: Number.MAX_SAFE_INTEGER })
    .flatMap(
      ({ value }) =>
        signingToken(decodeStored(secrets, value) as unknown as TokenSecret, engine.now()) ?? [],
    );
}
