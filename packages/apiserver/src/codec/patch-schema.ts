import { goQuote } from '@flotilla/machinery';
import { type GoType, isList, isPointer, isSpecial, isStruct } from './go-type.ts';
import { patchFailure } from './patch-errors.ts';

/** How one field of an object is merged. */
export interface PatchRule {
  /** The field's type; for a list that of its items. */
  readonly type: GoType;
  /** '', 'merge' or 'replace'. */
  readonly strategy: string;
  readonly mergeKey: string;
}

/** The rule of an object field, or upstream's error when the type has no such field. */
export function objectRule(place: GoType, key: string): PatchRule {
  const type = isPointer(place) ? place.to : place;
  if (!isStruct(type)) {
    if (!isSpecial(type)) {
      throw patchFailure(
        `merging an object in json but data type is not struct, instead is: ${goKind(type)}`,
      );
    }
    throw unknownField(type.goName.slice(type.goName.indexOf('.') + 1), key);
  }
  const folded = key.toLowerCase();
  // Upstream matches patches to fields without regard to case; exact names win.
  const field = type.field(key) ?? type.fields().find(({ name }) => name.toLowerCase() === folded);
  if (field === undefined) throw unknownField(type.name, key);
  const strategies = (field.extras.ps ?? '').split(',').filter((name) => name !== 'retainKeys');
  return { type: field.type, strategy: strategies[0] ?? '', mergeKey: field.extras.mk ?? '' };
}

/** The rule of a list field; its type is that of the items. */
export function listRule(place: GoType, key: string): PatchRule {
  const rule = objectRule(place, key);
  const type = isPointer(rule.type) ? rule.type.to : rule.type;
  if (!isList(type)) {
    throw patchFailure(`expected slice or array type, but got: ${goKind(place)}`);
  }
  if (isList(type.of)) throw patchFailure('unexpected slice of slice');
  return { ...rule, type: type.of };
}

function unknownField(struct: string, key: string) {
  return patchFailure(
    `unable to find api field in struct ${struct} for the json field ${goQuote(key)}`,
  );
}

/** What Go's reflection calls the kind of a type. */
export function goKind(type: GoType): string {
  switch (type.form) {
    case 'list':
    case 'bytes':
      return 'slice';
    case 'any':
      return 'interface';
    case 'pointer':
      return 'ptr';
    case 'special':
      return 'struct';
    case 'int':
      return 'signed' in type && 'bits' in type
        ? `${type.signed ? '' : 'u'}int${type.bits}`
        : 'int';
    case 'float':
      return 'float64';
    default:
      return type.form;
  }
}
