import type { KubeObject, Quantity } from '@flotilla/machinery';
import type { Engine } from '../../objects/engine.ts';
import { decodeStored } from '../../objects/stored.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Entry, Tenant } from '../../storage/store.ts';
import { type Amounts, only, sum, ZERO } from './amounts.ts';
import { evaluatorOf, type QuotaEvaluator } from './evaluators.ts';
import { scopesOf } from './scopes.ts';

/** Objects counted between two turns of the event loop. */
const SLICE = 250;

/** Counts what a namespace uses of the resources that a quota limits. */
export async function countUsage(
  deps: { engine: Engine; contents: (tenant: Tenant) => readonly ResourceDef[] },
  tenant: Tenant,
  { quota, hard }: { quota: KubeObject; hard: Amounts },
): Promise<Amounts> {
  const names = [...hard.keys()];
  let total: Amounts = new Map();
  for (const def of deps.contents(tenant)) {
    const evaluator = evaluatorOf(def);
    const matching = evaluator?.matching(names) ?? [];
    if (evaluator === undefined || matching.length === 0) continue;
    const zeros: Amounts = new Map(matching.map((name): [string, Quantity] => [name, ZERO]));
    const used = await countKind({ engine: deps.engine, tenant, def }, { evaluator, quota });
    total = sum(total, zeros, only(used, new Set(matching)));
  }
  return total;
}

async function countKind(
  { engine, tenant, def }: { engine: Engine; tenant: Tenant; def: ResourceDef },
  { evaluator, quota }: { evaluator: QuotaEvaluator; quota: KubeObject },
): Promise<Amounts> {
  const scopes = scopesOf(quota);
  const prefix = `${def.prefix}${quota.metadata.namespace ?? ''}/`;
  let used: Amounts = new Map();
  let after: string | undefined;
  for (;;) {
    const entries = read(engine, tenant, { prefix, after });
    for (const { value } of entries) {
      const object = decodeStored(def, value);
      if (!scopes.every((scope) => evaluator.matchesScope(scope, object))) continue;
      used = sum(used, evaluator.usage(object, engine.now()));
    }
    if (entries.length < SLICE) return used;
    after = entries.at(-1)?.key;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function read(
  engine: Engine,
  tenant: Tenant,
  { prefix, after }: { prefix: string; after: string | undefined },
): Entry[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot.range(prefix, { ...(after === undefined ? {} : { after }), limit: SLICE });
}
