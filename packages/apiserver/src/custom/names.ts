import { aggregateTexts, goQuote } from '@flotilla/machinery';
import { sameJson } from '../objects/same-json.ts';
import {
  type CrdCondition,
  type CrdNames,
  type CustomResourceDefinition,
  conditionOf,
} from './crd.ts';

type Condition = Omit<CrdCondition, 'lastTransitionTime'>;

/** What a CRD is given of the names it asks for. */
export interface NamesVerdict {
  readonly acceptedNames: CrdNames;
  readonly namesAccepted: Condition;
  readonly established: Condition;
}

/** Gives a CRD the names no other of its group has; what is in conflict stays as it was. */
export function judgeNames(
  crd: CustomResourceDefinition,
  group: readonly CustomResourceDefinition[],
): NamesVerdict {
  const { resources, kinds } = takenNames(group);
  const asked = crd.spec.names;
  const before = crd.status?.acceptedNames ?? { plural: '', kind: '' };
  const accepted: CrdNames = { ...before };
  let refusal: { reason: string; message: string } | undefined;

  const judge = (
    field: 'plural' | 'singular' | 'kind' | 'listKind',
    taken: ReadonlySet<string>,
    reason: string,
  ): void => {
    const wanted = asked[field] ?? '';
    if (wanted !== (before[field] ?? '') && taken.has(wanted)) {
      refusal = { reason, message: inUse(wanted) };
    } else if (asked[field] === undefined) delete (accepted as Partial<CrdNames>)[field];
    else accepted[field] = wanted;
  };
  judge('plural', resources, 'PluralConflict');
  judge('singular', resources, 'SingularConflict');
  if (!sameJson(asked.shortNames ?? [], before.shortNames ?? [])) {
    const conflicts = (asked.shortNames ?? []).filter(
      (name) => !(before.shortNames ?? []).includes(name) && resources.has(name),
    );
    if (conflicts.length > 0) {
      refusal = { reason: 'ShortNamesConflict', message: aggregateTexts(conflicts.map(inUse)) };
    } else if (asked.shortNames === undefined) delete accepted.shortNames;
    else accepted.shortNames = asked.shortNames;
  }
  judge('kind', kinds, 'KindConflict');
  judge('listKind', kinds, 'ListKindConflict');
  if (asked.categories === undefined) delete accepted.categories;
  else accepted.categories = asked.categories;

  const namesAccepted: Condition =
    refusal === undefined
      ? {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
        }
      : { type: 'NamesAccepted', status: 'False', ...refusal };
  return {
    acceptedNames: accepted,
    namesAccepted,
    established: establishedOf(crd, namesAccepted.status === 'True'),
  };
}

/** Once established, a CRD stays so, whatever becomes of its names. */
function establishedOf(crd: CustomResourceDefinition, namesAccepted: boolean): Condition {
  const before = conditionOf(crd, 'Established');
  if (before?.status !== 'True' && namesAccepted) {
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  }
  return (
    before ?? {
      type: 'Established',
      status: 'False',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    }
  );
}

function takenNames(group: readonly CustomResourceDefinition[]): {
  resources: Set<string>;
  kinds: Set<string>;
} {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of group) {
    const names = status?.acceptedNames;
    if (names === undefined) continue;
    for (const name of [names.plural, names.singular ?? '', ...(names.shortNames ?? [])]) {
      resources.add(name);
    }
    kinds.add(names.kind).add(names.listKind ?? '');
  }
  // An empty name is that of a CRD that has none yet.
  resources.delete('');
  kinds.delete('');
  return { resources, kinds };
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}
