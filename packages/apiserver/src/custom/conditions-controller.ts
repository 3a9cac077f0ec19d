import { deepCopy, formatTime, isNotFound } from '@flotilla/machinery';
import type { BuiltinController } from '../builtin/controller.ts';
import { noWarnings, SYSTEM_USER } from '../builtin/system-user.ts';
import { API_SERVER } from '../managed-fields/manager-name.ts';
import type { Engine } from '../objects/engine.ts';
import { sameJson } from '../objects/same-json.ts';
import { updateObject } from '../objects/update-object.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import { approvalOf } from './api-approval.ts';
import {
  CRD_PREFIX,
  type CrdCondition,
  type CustomResourceDefinition,
  conditionOf,
  hasCondition,
  setCondition,
} from './crd.ts';
import type { CrdIndex } from './crd-index.ts';
import { judgeNames } from './names.ts';

type Status = NonNullable<CustomResourceDefinition['status']>;

/** What the controllers of CRDs work with. */
export interface CrdControllerDeps {
  readonly engine: Engine;
  /** The definition of CustomResourceDefinitions themselves. */
  readonly crdDef: ResourceDef;
  readonly crds: CrdIndex;
}

/**
 * Gives CRDs their names and says so in their conditions. From the acceptance of its names on a kind is served and
 * shown in discovery and OpenAPI; only the next write calls it established, so that nobody who waits for that comes
 * too early.
 *
 * Work is done by group: names are unique within one, and two CRDs that want the same must not be judged at once.
 */
export function crdConditionsController(deps: CrdControllerDeps): BuiltinController {
  const { crds, engine } = deps;
  return {
    name: 'crd-conditions',
    // The API server itself does this upstream.
    yields: false,
    initial: (tenant) => unsettledGroups(engine, tenant),
    concerns: (change) =>
      change.key.startsWith(CRD_PREFIX) ? [groupOf(change.key.slice(CRD_PREFIX.length))] : [],
    sync: async (tenant, group) => {
      // Names that one lets go of may be what another waits for.
      for (let changed = true; changed; ) {
        changed = false;
        for (const holder of crds.ofGroup(tenant, group)) {
          if (await settle(deps, tenant, holder.crd())) changed = true;
        }
      }
      return undefined;
    },
  };
}

/** After a restart nearly all CRDs are settled: they are told by their bytes, and not even read. */
function unsettledGroups(engine: Engine, tenant: Tenant): string[] {
  using snapshot = engine.store.snapshot(tenant);
  const entries = snapshot.range(CRD_PREFIX, { limit: Number.MAX_SAFE_INTEGER });
  const groups = entries
    .filter(({ value }) => !value.includes('"reason":"InitialNamesAccepted"'))
    .map(({ key }) => groupOf(key.slice(CRD_PREFIX.length)));
  return [...new Set(groups)];
}

/** `PLURAL.GROUP` without its first part. */
function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

async function settle(
  deps: CrdControllerDeps,
  tenant: Tenant,
  crd: CustomResourceDefinition,
): Promise<boolean> {
  const group = (): CustomResourceDefinition[] =>
    deps.crds.ofGroup(tenant, crd.spec.group).map((holder) => holder.crd());
  const { name = '' } = crd.metadata;
  const now = formatTime(deps.engine.now());
  const accepted = statusAfterNaming(crd, group(), now);
  let current = crd;
  let changed = false;
  if (accepted !== undefined) {
    const written = await writeStatus(deps, { tenant, name }, (latest) =>
      statusAfterNaming(latest, group(), now),
    );
    if (written === undefined) return false;
    current = written;
    changed = true;
  }
  if (needsEstablishing(current)) {
    await writeStatus(deps, { tenant, name }, (latest) => established(latest, now));
    changed = true;
  }
  return changed;
}

/** The status a CRD should have, up to being established; undefined when it has it. */
function statusAfterNaming(
  crd: CustomResourceDefinition,
  group: readonly CustomResourceDefinition[],
  now: string,
): Status | undefined {
  const before = crd.status ?? {};
  let conditions = before.conditions ?? [];
  let { acceptedNames } = before;
  for (const condition of [approvalOf(crd), structureOf(crd)]) {
    if (condition !== undefined && !isEquivalent(conditionOf(crd, condition.type), condition)) {
      conditions = setCondition(conditions, condition, now);
    }
  }
  if (!sameJson(namesOf(crd.spec.names), namesOf(acceptedNames ?? { plural: '', kind: '' }))) {
    const verdict = judgeNames(crd, group);
    const isNew =
      !sameJson(verdict.acceptedNames, acceptedNames) ||
      !isEquivalent(conditionOf(crd, 'NamesAccepted'), verdict.namesAccepted);
    if (isNew) {
      acceptedNames = verdict.acceptedNames;
      conditions = setCondition(conditions, verdict.namesAccepted, now);
      conditions = setCondition(conditions, verdict.established, now);
    }
  }
  const isSame =
    sameJson(conditions, before.conditions ?? []) && sameJson(acceptedNames, before.acceptedNames);
  return isSame || acceptedNames === undefined
    ? undefined
    : { ...before, conditions, acceptedNames };
}

function namesOf(names: CustomResourceDefinition['spec']['names']): object {
  const { shortNames = [], categories = [], singular = '', listKind = '', ...rest } = names;
  return { ...rest, shortNames, categories, singular, listKind };
}

/** Only CRDs from before version 1 of their kind can have schemas without structure. */
function structureOf({
  spec,
}: CustomResourceDefinition): Omit<CrdCondition, 'lastTransitionTime'> | undefined {
  if (spec.preserveUnknownFields !== true) return undefined;
  return {
    type: 'NonStructuralSchema',
    status: 'True',
    reason: 'Violations',
    message: 'spec.preserveUnknownFields: Invalid value: true: must be false',
  };
}

function isEquivalent(
  before: CrdCondition | undefined,
  wanted: Omit<CrdCondition, 'lastTransitionTime'>,
): boolean {
  return (
    before !== undefined &&
    before.status === wanted.status &&
    before.reason === wanted.reason &&
    before.message === wanted.message
  );
}

function needsEstablishing(crd: CustomResourceDefinition): boolean {
  if (!hasCondition(crd, 'NamesAccepted') || hasCondition(crd, 'Established')) return false;
  return !isEquivalent(conditionOf(crd, 'Established'), establishment(crd));
}

function established(crd: CustomResourceDefinition, now: string): Status | undefined {
  if (!needsEstablishing(crd)) return undefined;
  const conditions = setCondition(crd.status?.conditions ?? [], establishment(crd), now);
  return { ...crd.status, conditions };
}

function establishment({
  spec,
}: CustomResourceDefinition): Omit<CrdCondition, 'lastTransitionTime'> {
  const type = 'Established';
  const caBundle = spec.conversion?.webhook?.clientConfig?.caBundle ?? '';
  if (caBundle !== '' && !Buffer.from(caBundle, 'base64').includes('-----BEGIN CERTIFICATE-----')) {
    const message = 'The conversion webhook CABundle is invalid';
    return { type, status: 'False', reason: 'InvalidCABundle', message };
  }
  const message = 'the initial names have been accepted';
  return { type, status: 'True', reason: 'InitialNamesAccepted', message };
}

/** Writes what `change` makes of the status; undefined when the CRD is gone or needs nothing any more. */
async function writeStatus(
  { engine, crdDef }: CrdControllerDeps,
  { tenant, name }: { tenant: Tenant; name: string },
  change: (latest: CustomResourceDefinition) => Status | undefined,
): Promise<CustomResourceDefinition | undefined> {
  try {
    const { stored } = await updateObject(engine, {
      tenant,
      def: crdDef,
      namespace: '',
      name,
      subresource: 'status',
      change: (current) => {
        const status = change(current as CustomResourceDefinition);
        return { ...deepCopy(current), ...(status === undefined ? {} : { status }) };
      },
      user: SYSTEM_USER,
      manager: API_SERVER,
      dryRun: false,
      warn: noWarnings,
    });
    return stored.object as CustomResourceDefinition;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
