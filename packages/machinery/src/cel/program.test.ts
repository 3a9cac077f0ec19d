import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AuthorizerQuestion,
  authorizerType,
  CelAuthorizer,
  type CelBindings,
  CelFault,
  CelOptional,
  type CelProgram,
  type CelValue,
  type CelVariable,
  compileCel,
  declare,
  dynDecl,
  estimateCost,
  intType,
  LazyMap,
  objectDecl,
  stringType,
} from './index.ts';
import { show } from './testing/show.ts';

function compiled(expr: string, variables: readonly CelVariable[]): CelProgram {
  const program = compileCel(expr, { variables });
  assert.ok(program.ok, program.ok ? '' : program.message);
  return program;
}

function evaluated(program: CelProgram, bindings: CelBindings): string {
  const result = program.evaluate(bindings);
  return result.ok ? show(result.value) : result.message;
}

test('a program is evaluated as often as wanted, each time by itself', () => {
  const program = compiled('list.map(x, x * 2)', [{ name: 'list', type: dynDecl }]);

  assert.equal(evaluated(program, { list: [1, 2] }), '[2, 4]');
  assert.equal(evaluated(program, { list: [3] }), '[6]');
  assert.equal(evaluated(program, {}), 'no such attribute(s): list');
});

test('the cost limit ends an evaluation, and says so', () => {
  const program = compiled('[1, 2, 3].all(x, x > 0)', []);

  assert.deepEqual(program.evaluate({}, { costLimit: 10 }), {
    ok: false,
    kind: 'cost-exceeded',
    message: 'operation cancelled: actual cost limit exceeded',
    cost: 11,
  });
  assert.equal(program.evaluate({}, { costLimit: 16 }).ok, true);
});

test('integers are exact beyond what doubles hold', () => {
  const program = compiled('a + 1', [{ name: 'a', type: dynDecl }]);

  assert.equal(evaluated(program, { a: 9007199254740993n }), '9007199254740994');
});

test('an optional variable is none where nothing is bound', () => {
  const old = { name: 'oldSelf', type: declare(intType), optional: true };
  const program = compiled('oldSelf.orValue(7)', [old]);

  assert.equal(evaluated(program, {}), '7');
  assert.equal(evaluated(program, { oldSelf: 3 }), '3');
  assert.equal(evaluated(program, { oldSelf: CelOptional.none }), '7');
});

test('a program knows which variables it reads', () => {
  const program = compiled('self.all(oldSelf, oldSelf > 0)', [{ name: 'self', type: dynDecl }]);

  assert.equal(program.uses('self'), true);
  assert.equal(program.uses('params'), false);
});

test('lazy variables are computed once, and only if they are read', () => {
  const computed: string[] = [];
  const noting = (name: string, value: CelValue) => (): CelValue => {
    computed.push(name);
    return value;
  };
  const variables = new LazyMap(
    new Map([
      ['a', noting('a', 1n)],
      ['b', noting('b', new CelFault('b is broken'))],
    ]),
  );
  const type = objectDecl('variables', { a: declare(intType), b: declare(intType) });
  const program = compiled('variables.a == 1 && variables.a < 2 || variables.b > 0', [
    { name: 'variables', type },
  ]);

  assert.equal(evaluated(program, { variables }), 'true');
  assert.deepEqual(computed, ['a']);
  assert.equal(
    evaluated(compiled('variables.b', [{ name: 'variables', type }]), { variables }),
    'b is broken',
  );
});

test('fields that a declared object does not have are found when compiling', () => {
  const type = objectDecl('kubernetes.Request', { name: declare(stringType) });
  const program = compileCel('request.nope', { variables: [{ name: 'request', type }] });

  assert.equal(
    program.ok ? '' : program.message.split('\n')[0],
    "ERROR: <input>:1:8: undefined field 'nope'",
  );
});

test('new expressions know only what the previous minor version knows', () => {
  const forms = ['new', 'stored'] as const;
  const compiles = forms.map(
    (expressions) => compileCel('[1].distinct()', { variables: [], expressions }).ok,
  );

  assert.deepEqual(compiles, [false, true]);
});

test('a constant that cannot be computed is a problem of the program', () => {
  const program = compileCel("int('x')", { variables: [] });

  assert.deepEqual(program, {
    ok: false,
    stage: 'program',
    issues: [],
    message: "type conversion error from 'string' to 'int'",
  });
});

test('the authorizer is asked what the expression says', () => {
  const asked: AuthorizerQuestion[] = [];
  const authorizer = new CelAuthorizer((question) => {
    asked.push(question);
    return { allowed: question.verb === 'get', reason: 'because' };
  });
  const expr = `authorizer.group('apps').resource('deployments').subresource('scale')
    .namespace('ns').name('web').check('get').allowed()
    && !authorizer.serviceAccount('ns', 'sa').path('/healthz').check('post').allowed()`;
  const program = compiled(expr, [{ name: 'authorizer', type: declare(authorizerType) }]);

  const result = program.evaluate({ authorizer });

  assert.deepEqual(result, { ok: true, value: true, cost: 700_012 });
  assert.deepEqual(asked, [
    {
      kind: 'resource',
      user: { kind: 'request' },
      verb: 'get',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'ns',
      name: 'web',
      fieldSelector: '',
      labelSelector: '',
    },
    {
      kind: 'path',
      user: { kind: 'service-account', namespace: 'ns', name: 'sa' },
      verb: 'post',
      path: '/healthz',
    },
  ]);
  assert.deepEqual(estimateCost(program).max, 700_012n);
});

test('a third check of the authorizer is more than an expression may cost', () => {
  const authorizer = new CelAuthorizer(() => ({ allowed: true, reason: '' }));
  const check = "authorizer.path('/a').check('get').allowed()";
  const program = compiled(`${check} && ${check} && ${check}`, [
    { name: 'authorizer', type: declare(authorizerType) },
  ]);

  const result = program.evaluate({ authorizer });

  assert.equal(result.ok || result.kind, 'cost-exceeded');
});

test('sizes can be told by the caller', () => {
  const program = compiled('names.all(n, n.startsWith("a"))', [{ name: 'names', type: dynDecl }]);

  assert.equal(estimateCost(program).max, 2n ** 64n - 1n);
  const sizes = (path: readonly string[]) =>
    path.length === 1 ? { min: 0n, max: 10n } : { min: 0n, max: 50n };
  assert.deepEqual(estimateCost(program, sizes), { min: 2n, max: 52n });
});
