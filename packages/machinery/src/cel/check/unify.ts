import {
  type CelType,
  dynType,
  formatType,
  isOptionalType,
  listType,
  mapType,
  opaqueType,
  paramType,
  typeType,
} from '../types.ts';

/** What a function takes and gives. */
export interface Signature {
  readonly args: readonly CelType[];
  readonly result: CelType;
}

/** Whether a type stands for any type; an error is one so that it is reported only once. */
export const isDynOrError = (type: CelType): boolean =>
  type.kind === 'dyn' || type.kind === 'error';

/** Two types are exactly the same. */
export function isExactType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, i) => isExactType(param, b.params[i] as CelType));
}

/** The type within an optional, or the type itself. */
export const unwrapOptional = (type: CelType): CelType =>
  isOptionalType(type) ? (type.params[0] ?? dynType) : type;

/** What type variables stand for, learned while an expression is checked. */
export class TypeBindings {
  readonly #bound = new Map<string, CelType>();
  /** What each change replaced, so that a failed attempt can be taken back. */
  readonly #undo: [string, CelType | undefined][] = [];
  #fresh = 0;

  newVariable(): CelType {
    return paramType(`_var${this.#fresh++}`);
  }

  /** A signature with fresh variables in place of its parameters. */
  instantiate({ args, result }: Signature): Signature {
    const fresh = new Map<string, CelType>();
    const replace = (type: CelType): CelType => {
      if (type.kind === 'param') {
        const known = fresh.get(type.name) ?? this.newVariable();
        fresh.set(type.name, known);
        return known;
      }
      if (type.params.length === 0) return type;
      return { ...type, params: type.params.map(replace) };
    };
    return { args: args.map(replace), result: replace(result) };
  }

  /** Whether values of both types can meet; variables are bound only if so. */
  unify(a: CelType, b: CelType): boolean {
    return this.#attempt(() => this.#assignable(a, b));
  }

  /** As {@link unify}, for all pairs or none. */
  unifyAll(a: readonly CelType[], b: readonly CelType[]): boolean {
    return this.#attempt(() => this.#allAssignable(a, b));
  }

  /** A type with variables replaced by what they stand for. */
  substitute(type: CelType, unboundIsDyn: boolean): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound) return this.substitute(bound, unboundIsDyn);
      return unboundIsDyn ? dynType : type;
    }
    if (type.params.length === 0) return type;
    const params = type.params.map((param) => this.substitute(param, unboundIsDyn));
    return withParams(type, params);
  }

  #attempt(attempt: () => boolean): boolean {
    const before = this.#undo.length;
    if (attempt()) {
      this.#undo.length = 0;
      return true;
    }
    while (this.#undo.length > before) {
      const [name, old] = this.#undo.pop() as [string, CelType | undefined];
      if (old) this.#bound.set(name, old);
      else this.#bound.delete(name);
    }
    return false;
  }

  #bind(variable: CelType, type: CelType): void {
    this.#undo.push([variable.name, this.#bound.get(variable.name)]);
    this.#bound.set(variable.name, type);
  }

  #assignable(a: CelType, b: CelType): boolean {
    if (b.kind === 'param') {
      const { valid, bound } = this.#substitutable(a, b);
      if (valid) return true;
      if (bound) return false;
    }
    if (a.kind === 'param') return this.#substitutable(b, a).valid;
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    if (a.kind !== b.kind || a.name !== b.name) return false;
    return this.#allAssignable(a.params, b.params);
  }

  #allAssignable(a: readonly CelType[], b: readonly CelType[]): boolean {
    return a.length === b.length && a.every((type, i) => this.#assignable(type, b[i] as CelType));
  }

  #substitutable(type: CelType, variable: CelType): { valid: boolean; bound: boolean } {
    if (isExactType(type, variable)) return { valid: true, bound: true };
    const known = this.#bound.get(variable.name);
    if (known) {
      if (isExactType(type, known)) return { valid: true, bound: true };
      if (!this.#assignable(type, known)) return { valid: false, bound: true };
      const general = mostGeneral(type, known);
      if (this.#isAbsent(variable, general)) this.#bind(variable, general);
      return { valid: true, bound: true };
    }
    if (!this.#isAbsent(variable, type)) return { valid: false, bound: false };
    this.#bind(variable, type);
    return { valid: true, bound: false };
  }

  /** Whether a variable does not occur in a type, which would make the type endless. */
  #isAbsent(variable: CelType, type: CelType): boolean {
    if (isExactType(variable, type)) return false;
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      return bound === undefined || this.#isAbsent(variable, bound);
    }
    return type.params.every((param) => this.#isAbsent(variable, param));
  }
}

function withParams(type: CelType, params: readonly CelType[]): CelType {
  const [first = dynType, second = dynType] = params;
  switch (type.kind) {
    case 'list':
      return listType(first);
    case 'map':
      return mapType(first, second);
    case 'type':
      return typeType(first);
    default:
      return opaqueType(type.name, ...params);
  }
}

function isNullable(type: CelType): boolean {
  return ['null', 'opaque', 'object', 'duration', 'timestamp'].includes(type.kind);
}

/** The one of two assignable types that admits more. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, i) => isEqualOrLessSpecific(param, b.params[i] as CelType));
}

/** The types of a call's arguments, as messages show them. */
export function formatCallTypes(types: readonly CelType[], isMember: boolean): string {
  const names = types.map(formatType);
  if (!isMember) return `(${names.join(', ')})`;
  return `${names[0]}.(${names.slice(1).join(', ')})`;
}
