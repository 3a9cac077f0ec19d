import {
  boolType,
  type CelProgram,
  type CelType,
  type CelVariable,
  compileCel,
  type DeclType,
  declare,
  dynDecl,
  dynType,
  formatType,
  intType,
  listDecl,
  mapDecl,
  nullType,
  objectDecl,
  objectType,
  stringType,
  timestampType,
} from '@flotilla/machinery/cel';
import { BoundedCache } from '../../authn/bounded-cache.ts';

/** What an expression must yield. */
export type Returns = 'bool' | 'string' | 'string or null' | 'anything';

/** What an expression may use beside the request and its objects. */
export interface ExpressionContext {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Types of the variables declared before it, by name. */
  readonly variables?: ReadonlyMap<string, CelType>;
  /** New expressions must be known to the previous minor version too. */
  readonly expressions: 'new' | 'stored';
}

/** Why an expression cannot be used, in upstream's words. */
export interface ExpressionProblem {
  /** `internal` when the expression itself is right. */
  readonly kind: 'invalid' | 'internal';
  readonly detail: string;
}

/** An expression, ready to be evaluated unless something is wrong with it. */
export type CompiledExpression =
  | { readonly source: string; readonly program: CelProgram }
  | { readonly source: string; readonly problem: ExpressionProblem };

const text = declare(stringType);
const texts = listDecl(text);
const time = declare(timestampType);
const textMap = mapDecl(text);

const groupVersionKind = objectDecl('kubernetes.GroupVersionKind', {
  group: text,
  version: text,
  kind: text,
});

const groupVersionResource = objectDecl('kubernetes.GroupVersionResource', {
  group: text,
  version: text,
  resource: text,
});

const request = objectDecl('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: text,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: objectDecl('kubernetes.UserInfo', {
    username: text,
    uid: text,
    groups: texts,
    extra: mapDecl(texts),
  }),
  dryRun: declare(boolType),
  options: dynDecl,
});

const namespaceObject = objectDecl('kubernetes.Namespace', {
  metadata: objectDecl('kubernetes.NamespaceMetadata', {
    name: text,
    generateName: text,
    namespace: text,
    labels: textMap,
    annotations: textMap,
    UID: text,
    creationTimestamp: time,
    deletionGracePeriodSeconds: declare(intType),
    deletionTimestamp: time,
    generation: declare(intType),
    resourceVersion: text,
    finalizers: texts,
  }),
  spec: objectDecl('kubernetes.NamespaceSpec', { finalizers: texts }),
  status: objectDecl('kubernetes.NamespaceStatus', {
    conditions: listDecl(
      objectDecl('kubernetes.NamespaceCondition', {
        status: text,
        type: text,
        lastTransitionTime: time,
        message: text,
        reason: text,
      }),
    ),
    phase: text,
  }),
});

const authorizer: readonly CelVariable[] = [
  { name: 'authorizer', type: declare(objectType('kubernetes.authorization.Authorizer')) },
  {
    name: 'authorizer.requestResource',
    type: declare(objectType('kubernetes.authorization.ResourceCheck')),
  },
];

/** Types of `object`, `oldObject` and `params` where they are known. */
export interface ObjectTypes {
  readonly object?: DeclType;
  readonly params?: DeclType;
}

/** What an expression of admission can read. */
export function declaredVariables(
  { hasParams, hasAuthorizer, variables }: ExpressionContext,
  types: ObjectTypes = {},
): readonly CelVariable[] {
  return [
    { name: 'object', type: types.object ?? dynDecl },
    { name: 'oldObject', type: types.object ?? dynDecl },
    { name: 'namespaceObject', type: namespaceObject },
    { name: 'request', type: request },
    ...(hasParams ? [{ name: 'params', type: types.params ?? dynDecl }] : []),
    ...(hasAuthorizer ? authorizer : []),
    ...(variables === undefined
      ? []
      : [
          {
            name: 'variables',
            type: objectDecl(
              'kubernetes.variables',
              Object.fromEntries([...variables].map(([name, type]) => [name, declare(type)])),
            ),
          },
        ]),
  ];
}

/** Programs know nothing of tenants, so that equal expressions are compiled once for all. */
const compiled = new BoundedCache<CompiledExpression>(2000);

/** Compiles an expression; equal ones are compiled once. */
export function compileExpression(
  source: string,
  returns: Returns,
  context: ExpressionContext,
): CompiledExpression {
  const { hasParams, hasAuthorizer, variables, expressions } = context;
  const types = variables && [...variables].map(([name, type]) => [name, formatType(type)]);
  const key = JSON.stringify([source, returns, hasParams, hasAuthorizer, types, expressions]);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const fresh = compile(source, returns, context);
  compiled.set(key, fresh);
  return fresh;
}

function compile(source: string, returns: Returns, context: ExpressionContext): CompiledExpression {
  const program = compileCel(source, {
    variables: declaredVariables(context),
    expressions: context.expressions,
  });
  if (!program.ok) {
    const problem: ExpressionProblem =
      program.stage === 'compile'
        ? { kind: 'invalid', detail: `compilation failed: ${program.message}` }
        : { kind: 'internal', detail: `program instantiation failed: ${program.message}` };
    return { source, problem };
  }
  const wrong = returnProblem(program.outputType, returns);
  return wrong === undefined
    ? { source, program }
    : { source, problem: { kind: 'invalid', detail: wrong } };
}

const ALLOWED: Readonly<Record<Returns, readonly CelType[]>> = {
  bool: [boolType],
  string: [stringType],
  'string or null': [stringType, nullType],
  anything: [],
};

function returnProblem(type: CelType, returns: Returns): string | undefined {
  const allowed = ALLOWED[returns].map(printed);
  const actual = printed(type);
  if (returns === 'anything' || allowed.includes(actual)) return undefined;
  return allowed.length === 1
    ? `must evaluate to ${allowed[0] ?? ''} but got ${actual}`
    : `must evaluate to one of [${allowed.join(' ')}] but got ${actual}`;
}

/** A type as Go prints it, which is not how the compiler's messages write it. */
function printed({ name, params }: CelType): string {
  return params.length === 0 ? name : `${name}(${params.map(printed).join(', ')})`;
}

/** Compiles variables one after the other: each may use those before it. */
export function compileVariables(
  declared: readonly { readonly name: string; readonly expression: string }[],
  context: Omit<ExpressionContext, 'variables'>,
): { compiled: ReadonlyMap<string, CompiledExpression>; types: ReadonlyMap<string, CelType> } {
  const programs = new Map<string, CompiledExpression>();
  const types = new Map<string, CelType>();
  for (const { name, expression } of declared) {
    const result = compileExpression(expression, 'anything', { ...context, variables: types });
    programs.set(name, result);
    types.set(name, 'program' in result ? result.program.outputType : dynType);
  }
  return { compiled: programs, types };
}
