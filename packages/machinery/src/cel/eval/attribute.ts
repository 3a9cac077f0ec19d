import { NO_OVERLOAD } from '../library/operators.ts';
import { describe, typeNameOf } from '../values/describe.ts';
import { CelFault, CelList, CelMap, CelOptional, CelUint, type CelValue } from '../values/value.ts';
import type { Attribute, Frame, PathAttribute, Planned, Qualifier, Step } from './frame.ts';

/**
 * Costs follow cel-go: an attribute costs one, each step of its path one more. A branch of a
 * conditional is resolved without the cost of an attribute, and so is an index.
 */
export function planAttribute(attribute: Attribute): Planned {
  if (attribute.kind === 'conditional') return { step: resolver(attribute), attribute };
  return { step: costing(attribute), attribute };
}

function costing(attribute: PathAttribute): Step {
  const resolve = resolver(attribute);
  return (frame) => {
    const value = resolve(frame);
    frame.charge(1);
    return value;
  };
}

/** `has(…)`, whose attribute itself is free. */
export function planTest(attribute: Attribute): Planned {
  const resolve = resolver(attribute);
  // cel-go takes back the cost of an attribute here, even where it charged none.
  const refund = attribute.kind === 'conditional' ? -1 : 0;
  return {
    step: (frame) => {
      const value = resolve(frame);
      frame.charge(refund);
      return value instanceof CelOptional ? value.value !== undefined : value;
    },
  };
}

/** The attribute with one more step at its end. */
export function extend(attribute: Attribute, qualifier: Qualifier): Attribute {
  if (attribute.kind === 'path') return { ...attribute, path: [...attribute.path, qualifier] };
  return {
    ...attribute,
    truthy: extend(attribute.truthy, qualifier),
    falsy: extend(attribute.falsy, qualifier),
  };
}

/** Reads an attribute's data, at the cost of its path alone. */
export function resolver(attribute: Attribute): Step {
  if (attribute.kind === 'conditional') {
    const { condition } = attribute;
    const truthy = resolver(attribute.truthy);
    const falsy = resolver(attribute.falsy);
    return (frame) => {
      const chosen = condition(frame);
      if (chosen === true) return truthy(frame);
      if (chosen === false) return falsy(frame);
      return chosen instanceof CelFault ? chosen : NO_OVERLOAD;
    };
  }
  const { load, path } = attribute;
  if (path.length === 0) return load;
  const simple = path.every((each) => typeof each.key === 'string' && !each.optional && !each.test);
  if (simple)
    return fieldPath(
      load,
      path.map((each) => each.key as string),
    );
  return (frame) => walk(frame, load(frame), path);
}

/** The usual path: fields by name, none of them optional. */
function fieldPath(load: Step, names: readonly string[]): Step {
  const path = names.map(
    (key): Qualifier => ({
      key,
      computed: undefined,
      optional: false,
      test: false,
    }),
  );
  return (frame) => {
    let value = load(frame);
    for (let i = 0; i < names.length; i++) {
      if (!(value instanceof CelMap)) return walk(frame, value, path.slice(i));
      const name = names[i] as string;
      const next: CelValue | undefined = value.get(name);
      frame.charge(1);
      if (next === undefined) return new CelFault(`no such key: ${name}`);
      value = next;
    }
    return value;
  };
}

function walk(frame: Frame, start: CelValue, path: readonly Qualifier[]): CelValue {
  let value = start;
  let isOptional = false;
  if (value instanceof CelOptional) {
    if (value.value === undefined) return value;
    value = value.value;
    isOptional = true;
  }
  for (const qualifier of path) {
    if (value instanceof CelFault) return value;
    isOptional ||= qualifier.optional;
    const lenient = isOptional || qualifier.test;
    const key = qualifier.key ?? qualifier.computed?.(frame) ?? null;
    const found = key instanceof CelFault ? key : qualify(value, key, lenient);
    if (qualifier.test) {
      frame.charge(1);
      if (found instanceof CelFault) return found;
      value = found !== undefined;
      if (isOptional && !value) return CelOptional.none;
      continue;
    }
    if (found === undefined) return CelOptional.none;
    // cel-go charges what it finds, and faults only where nothing is optional.
    if (!(isOptional && found instanceof CelFault)) frame.charge(1);
    if (found instanceof CelFault) return found;
    value = found;
  }
  return isOptional ? new CelOptional(value) : value;
}

/** What a value has under a key; undefined where it has nothing and that may be. */
function qualify(value: CelValue, key: CelValue, lenient: boolean): CelValue | undefined {
  if (value instanceof CelMap) {
    const found = value.get(key);
    if (found !== undefined) return found;
  } else if (value instanceof CelList) {
    const index = indexOf(key);
    if (index instanceof CelFault) return index;
    if (index >= 0 && index < value.size) return value.at(index);
    return lenient ? undefined : new CelFault(`index out of bounds: ${describe(key)}`);
  }
  return lenient ? undefined : new CelFault(`no such key: ${describe(key)}`);
}

function indexOf(key: CelValue): number | CelFault {
  if (typeof key === 'bigint') return Number(key);
  if (typeof key === 'number') {
    return Number.isSafeInteger(key)
      ? key
      : new CelFault(`unsupported index value ${describe(key)} in list`);
  }
  if (key instanceof CelUint) {
    return key.value < 2n ** 63n
      ? Number(key.value)
      : new CelFault(`unsupported index value ${describe(key)} in list`);
  }
  return new CelFault(`unsupported index type '${typeNameOf(key)}' in list`);
}
