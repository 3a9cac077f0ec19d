import { RESERVED } from '../escaping.ts';
import type { FunctionDecl, Overload } from '../library/function.ts';
import type {
  CallExpr,
  EntryExpr,
  Expr,
  FoldExpr,
  ListExpr,
  MapExpr,
  SelectExpr,
} from '../syntax/ast.ts';
import type { IssueList } from '../syntax/source.ts';
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  formatType,
  intType,
  isOptionalType,
  listType,
  mapType,
  optionalType,
  stringType,
} from '../types.ts';
import { literalType, qualifiedName } from './names.ts';
import {
  formatCallTypes,
  isDynOrError,
  isExactType,
  mostGeneral,
  TypeBindings,
  unwrapOptional,
} from './unify.ts';

/** The names an expression can refer to. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, CelType>;
  /** Names of types, each with the type of the type. */
  readonly types: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  /** Leaves all types to the evaluation, as Kubernetes never does. */
  readonly isDynamic?: boolean;
}

/** What a name or a call was found to mean. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'type'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string; readonly overloads: readonly Overload[] };

/** Types and meanings of all nodes, by their ids. */
export interface Checked {
  readonly root: Expr;
  readonly types: readonly (CelType | undefined)[];
  readonly references: readonly (Reference | undefined)[];
}

/** Finds the type of every node; problems are among the issues. */
export function check(root: Expr, declarations: Declarations, issues: IssueList): Checked {
  const checker = new Checker(declarations, issues);
  checker.check(root);
  return { root, types: checker.finalTypes(), references: checker.references };
}

interface Scope {
  readonly names: ReadonlyMap<string, CelType>;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly references: (Reference | undefined)[] = [];
  readonly #types: CelType[] = [];
  readonly #bindings = new TypeBindings();
  readonly #declarations: Declarations;
  readonly #issues: IssueList;
  #scope: Scope | undefined;

  constructor(declarations: Declarations, issues: IssueList) {
    this.#declarations = declarations;
    this.#issues = issues;
  }

  finalTypes(): CelType[] {
    return this.#types.map((type) => this.#bindings.substitute(type, true));
  }

  check(expr: Expr): void {
    switch (expr.kind) {
      case 'literal':
        this.#types[expr.id] = this.#declarations.isDynamic ? dynType : literalType(expr.value);
        break;
      case 'ident':
        if (!this.#identify(expr, expr.name)) this.#undeclared(expr, expr.name);
        break;
      case 'select':
        this.#checkSelect(expr);
        break;
      case 'call':
        this.#checkCall(expr);
        break;
      case 'list':
        this.#checkList(expr);
        break;
      case 'map':
        this.#checkMap(expr);
        break;
      case 'struct':
        // No message type is declared in Kubernetes' environments.
        if (this.#declarations.types.has(expr.name)) {
          this.#report(expr, `'${expr.name}' is not a message type`);
          this.#types[expr.id] = errorType;
        } else {
          this.#undeclared(expr, expr.name);
        }
        break;
      case 'fold':
        this.#checkFold(expr);
        break;
    }
  }

  #report(node: { readonly pos: number }, message: string): void {
    this.#issues.report(node.pos, message);
  }

  #undeclared(expr: Expr, name: string): void {
    this.#types[expr.id] = errorType;
    this.#report(expr, `undeclared reference to '${name}' (in container '')`);
  }

  #typeOf(expr: Expr): CelType {
    return this.#types[expr.id] ?? errorType;
  }

  /** Notes what a name means, if anything. */
  #identify(expr: Expr, name: string): boolean {
    const plain = name.startsWith('.') ? name.slice(1) : name;
    const local = this.#lookupLocal(plain);
    const global = this.#declarations.variables.get(plain);
    const variable = local ?? (global && this.#declarations.isDynamic ? dynType : global);
    if (variable) {
      this.#types[expr.id] = variable;
      this.references[expr.id] = { kind: 'variable', name: plain };
      return true;
    }
    const type = this.#declarations.types.get(plain);
    if (!type) return false;
    this.#types[expr.id] = type;
    this.references[expr.id] = { kind: 'type', name: plain };
    return true;
  }

  #lookupLocal(name: string): CelType | undefined {
    for (let scope = this.#scope; scope; scope = scope.outer) {
      const found = scope.names.get(name);
      if (found) return found;
    }
    return undefined;
  }

  #checkSelect(expr: SelectExpr): void {
    const qualified = expr.test ? undefined : qualifiedName(expr);
    if (qualified !== undefined && this.#identify(expr, qualified)) return;
    const field = this.#fieldType(expr, expr.operand, { name: expr.field, optional: false });
    this.#types[expr.id] = expr.test ? boolType : this.#bindings.substitute(field, false);
  }

  #fieldType(at: Expr, operand: Expr, field: { name: string; optional: boolean }): CelType {
    this.check(operand);
    const operandType = this.#bindings.substitute(this.#typeOf(operand), false);
    const target = unwrapOptional(operandType);
    const result = this.#targetFieldType(at, target, field.name);
    return isOptionalType(operandType) || field.optional ? optionalType(result) : result;
  }

  #targetFieldType(at: Expr, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.params[1] ?? dynType;
      case 'object': {
        // A property named like a keyword can be read by its own name, too.
        const keyword = RESERVED.has(field) ? target.fields?.get(`__${field}__`) : undefined;
        const type = target.fields?.get(field) ?? keyword;
        if (type) return type;
        this.#report(at, `undefined field '${field}'`);
        return errorType;
      }
      case 'param':
        this.#bindings.unify(dynType, target);
        return dynType;
      default:
        if (!isDynOrError(target)) {
          this.#report(at, `type '${formatType(target)}' does not support field selection`);
        }
        return dynType;
    }
  }

  #checkCall(expr: CallExpr): void {
    if (expr.name === '_?._') {
      this.#checkOptionalSelect(expr);
      return;
    }
    for (const arg of expr.args) this.check(arg);
    if (!expr.target) {
      const name = expr.name.startsWith('.') ? expr.name.slice(1) : expr.name;
      const fn = this.#declarations.functions.get(name);
      if (fn) this.#resolve(expr, fn, undefined);
      else this.#undeclared(expr, expr.name);
      return;
    }
    const prefix = qualifiedName(expr.target);
    const namespaced =
      prefix === undefined
        ? undefined
        : this.#declarations.functions.get(`${prefix.replace(/^\./, '')}.${expr.name}`);
    if (namespaced) {
      this.#resolve(expr, namespaced, undefined);
      return;
    }
    this.check(expr.target);
    const fn = this.#declarations.functions.get(expr.name);
    if (fn) this.#resolve(expr, fn, expr.target);
    else this.#undeclared(expr, expr.name);
  }

  #checkOptionalSelect(expr: CallExpr): void {
    const [operand, field] = expr.args as [Expr, Expr];
    const name = field.kind === 'literal' && typeof field.value === 'string' ? field.value : '';
    this.#types[field.id] = stringType;
    const type = this.#fieldType(expr, operand, { name, optional: true });
    this.#types[expr.id] = this.#bindings.substitute(type, false);
    this.references[expr.id] = { kind: 'function', name: expr.name, overloads: [SELECT_OPTIONAL] };
  }

  #resolve(expr: CallExpr, fn: FunctionDecl, target: Expr | undefined): void {
    const args = target ? [target, ...expr.args] : expr.args;
    const types = args.map((arg) => this.#typeOf(arg));
    if (fn.name === '_&&_' || fn.name === '_||_') {
      this.#resolveLogical(expr, fn);
      return;
    }
    const found: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of fn.overloads) {
      if (overload.member !== (target !== undefined)) continue;
      const signature = this.#bindings.instantiate(overload);
      if (!this.#bindings.unifyAll(types, signature.args)) continue;
      found.push(overload);
      const returned = this.#bindings.substitute(signature.result, false);
      if (!result) result = returned;
      else if (result.kind !== 'dyn' && !isExactType(returned, result)) result = dynType;
    }
    if (!result) {
      const shown = types.map((type) => this.#bindings.substitute(type, true));
      const signature = formatCallTypes(shown, target !== undefined);
      this.#report(expr, `found no matching overload for '${fn.name}' applied to '${signature}'`);
      this.#types[expr.id] = errorType;
      return;
    }
    this.#types[expr.id] = result;
    this.references[expr.id] = { kind: 'function', name: fn.name, overloads: found };
  }

  #resolveLogical(expr: CallExpr, fn: FunctionDecl): void {
    let valid = true;
    for (const arg of expr.args) {
      if (this.#bindings.unify(this.#typeOf(arg), boolType)) continue;
      this.#mismatch(arg, boolType, this.#typeOf(arg));
      valid = false;
    }
    this.#types[expr.id] = valid ? boolType : errorType;
    if (valid) {
      this.references[expr.id] = { kind: 'function', name: fn.name, overloads: fn.overloads };
    }
  }

  #mismatch(at: { readonly pos: number }, expected: CelType, actual: CelType): void {
    const message = `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;
    this.#report(at, message);
  }

  #checkList(expr: ListExpr): void {
    let elements: CelType | undefined;
    for (const [index, element] of expr.elements.entries()) {
      this.check(element);
      let type = this.#typeOf(element);
      if (expr.optionals.includes(index)) type = this.#unwrapElement(element, type);
      elements = this.#join(elements, type);
    }
    this.#types[expr.id] = listType(elements ?? this.#bindings.newVariable());
  }

  #unwrapElement(element: Expr, type: CelType): CelType {
    if (!isOptionalType(type) && type.kind !== 'dyn') {
      this.#mismatch(element, optionalType(type), type);
    }
    return unwrapOptional(type);
  }

  #checkMap(expr: MapExpr): void {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const entry of expr.entries) {
      this.check(entry.key);
      keys = this.#join(keys, this.#typeOf(entry.key));
      values = this.#join(values, this.#entryType(entry));
    }
    this.#types[expr.id] = mapType(
      keys ?? this.#bindings.newVariable(),
      values ?? this.#bindings.newVariable(),
    );
  }

  #entryType(entry: EntryExpr): CelType {
    this.check(entry.value);
    const type = this.#typeOf(entry.value);
    return entry.optional ? this.#unwrapElement(entry.value, type) : type;
  }

  /** Mixed elements make `dyn`; whether they may be mixed is judged once all types are known. */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    return this.#bindings.unify(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #checkFold(expr: FoldExpr): void {
    this.check(expr.range);
    this.check(expr.init);
    const range = this.#bindings.substitute(this.#typeOf(expr.range), false);
    const accumulated = this.#typeOf(expr.init);
    const outer = this.#scope;
    const withResult = { names: new Map([[expr.accuVar, accumulated]]), outer };
    const variables = this.#loopVariables(expr, range);
    this.#scope = { names: variables, outer: withResult };
    this.check(expr.condition);
    this.#assert(expr.condition, boolType);
    this.check(expr.step);
    this.#assert(expr.step, accumulated);
    this.#scope = withResult;
    this.check(expr.result);
    this.#scope = outer;
    this.#types[expr.id] = this.#bindings.substitute(this.#typeOf(expr.result), false);
  }

  #loopVariables(expr: FoldExpr, range: CelType): Map<string, CelType> {
    const [first = dynType, second = dynType] = this.#rangeTypes(expr, range);
    if (expr.iterVar2 === undefined) {
      return new Map([[expr.iterVar, range.kind === 'list' ? second : first]]);
    }
    return new Map([
      [expr.iterVar, first],
      [expr.iterVar2, second],
    ]);
  }

  /** The types of a range's keys or indices and of its values. */
  #rangeTypes(expr: FoldExpr, range: CelType): readonly CelType[] {
    switch (range.kind) {
      case 'list':
        return [intType, range.params[0] ?? dynType];
      case 'map':
        return range.params;
      case 'dyn':
      case 'error':
      case 'param':
        this.#bindings.unify(dynType, range);
        return [dynType, dynType];
      default:
        this.#report(
          expr.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [errorType, errorType];
    }
  }

  #assert(expr: Expr, type: CelType): void {
    if (!this.#bindings.unify(type, this.#typeOf(expr))) {
      this.#mismatch(expr, type, this.#typeOf(expr));
    }
  }
}

const SELECT_OPTIONAL: Overload = {
  id: 'select_optional_field',
  member: false,
  args: [dynType, stringType],
  result: optionalType(dynType),
  call: () => null,
};
