import { enterKey } from './container-types.ts';
import type { Field, FieldExtras, GoType, Member, Omit, StructType } from './go-type.ts';
import { isStruct } from './go-type.ts';
import { enter, leave, misfit, type Pass, strictError } from './pass.ts';

/** One field as a type table has it, its type resolved. */
export interface Declared {
  /** '' for an inlined struct. */
  readonly name: string;
  readonly type: GoType;
  readonly number: number;
  readonly omit: Omit;
  readonly extras: FieldExtras;
}

interface Plan {
  readonly fields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** Fields that Go writes even where the object does not have them. */
  readonly always: readonly Field[];
  readonly members: readonly Member[];
}

/** A struct whose fields are looked up when a value of it is first met. */
export function structType(
  key: string,
  names: { name: string; goName: string; mapType?: string | undefined; load: () => Declared[] },
): StructType {
  let made: Plan | undefined;
  const plan = (): Plan => {
    made ??= makePlan(names.load());
    return made;
  };
  const type: StructType = {
    form: 'struct',
    goName: names.goName,
    name: names.name,
    key,
    mapType: names.mapType,
    decode: (value, pass) => {
      if (value === null) return zeroStruct(plan());
      if (typeof value !== 'object' || Array.isArray(value)) return misfit(pass, value, type);
      enter(pass);
      const out = decodeStruct(value as Record<string, unknown>, pass, type);
      leave(pass);
      return out;
    },
    zero: () => zeroStruct(plan()),
    isEmpty: () => false,
    isZero: (value) => isZeroStruct(plan(), value),
    fields: () => plan().fields,
    field: (name) => plan().byName.get(name),
    members: () => plan().members,
  };

  function decodeStruct(source: Record<string, unknown>, pass: Pass, self: StructType): unknown {
    const { byName, always } = plan();
    const found: Field[] = [];
    const values: unknown[] = [];
    let last = -1;
    let ordered = true;
    for (const name in source) {
      const field = byName.get(name);
      if (field === undefined) {
        pass.sawUnknown = true;
        if (pass.trace !== undefined) strictError(pass.trace, 'unknown', name);
        continue;
      }
      const given = source[name];
      if (given === undefined) continue;
      const value =
        pass.trace === undefined
          ? field.type.decode(given, pass)
          : decodeTraced(field, given, { pass, struct: self.name });
      if (field.omits(value)) continue;
      // Upstream's storage cannot tell an empty list from none, so clients read null where Go writes the field always.
      const emptied = pass.stored && Array.isArray(value) && value.length === 0;
      if (emptied && field.omits(null)) continue;
      if (field.index < last) ordered = false;
      last = field.index;
      found.push(field);
      values.push(emptied ? field.type.zero() : value);
    }
    if (!ordered) sortByIndex(found, values);
    return assemble(found, values, always);
  }

  return type;
}

function decodeTraced(field: Field, value: unknown, at: { pass: Pass; struct: string }): unknown {
  const trace = at.pass.trace;
  if (trace === undefined) return undefined;
  const outer = trace.struct;
  trace.struct = at.struct;
  trace.fields.push(field.name);
  enterKey(trace, field.name);
  const out = field.type.decode(value, at.pass);
  trace.path.pop();
  trace.fields.pop();
  trace.struct = outer;
  return out;
}

/** Insertion sort: the lists are short and mostly in order. */
function sortByIndex(found: Field[], values: unknown[]): void {
  for (let i = 1; i < found.length; i += 1) {
    const field = found[i] as Field;
    const value = values[i];
    let j = i - 1;
    while (j >= 0 && (found[j] as Field).index > field.index) {
      found[j + 1] = found[j] as Field;
      values[j + 1] = values[j];
      j -= 1;
    }
    found[j + 1] = field;
    values[j + 1] = value;
  }
}

function assemble(found: readonly Field[], values: readonly unknown[], always: readonly Field[]) {
  const out: Record<string, unknown> = {};
  let next = 0;
  for (let i = 0; i < found.length; i += 1) {
    const field = found[i] as Field;
    while (next < always.length) {
      const wanted = always[next] as Field;
      if (wanted.index > field.index) break;
      if (wanted.index < field.index) out[wanted.name] = wanted.type.zero();
      next += 1;
    }
    out[field.name] = values[i];
  }
  for (; next < always.length; next += 1) {
    const wanted = always[next] as Field;
    out[wanted.name] = wanted.type.zero();
  }
  return out;
}

function zeroStruct({ always }: Plan): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of always) out[field.name] = field.type.zero();
  return out;
}

function isZeroStruct({ byName }: Plan, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => byName.get(name)?.type.isZero(member));
}

function makePlan(declared: readonly Declared[]): Plan {
  const shallow = new Set(declared.filter(({ name }) => name !== '').map(({ name }) => name));
  const fields: Field[] = [];
  const add = (field: Pick<Field, 'name' | 'type' | 'omits' | 'extras'>) =>
    fields.push({ ...field, index: fields.length });
  for (const { name, type, omit, extras } of declared) {
    if (name !== '') {
      add({ name, type, omits: omitRule(type, omit), extras });
    } else if (isStruct(type)) {
      // Where an outer and an inlined field share a name, Go keeps the outer one.
      for (const inner of type.fields()) if (!shallow.has(inner.name)) add(inner);
    }
  }
  return {
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    always: fields.filter((field) => !field.omits(field.type.zero())),
    members: declared.map(({ name, type, number }) => ({ name, type, number })),
  };
}

function omitRule(type: GoType, omit: Omit): (value: unknown) => boolean {
  if (omit === 'e') return type.isEmpty;
  if (omit === 'n') return (value) => value === null;
  return omit === 'z' ? type.isZero : () => false;
}
