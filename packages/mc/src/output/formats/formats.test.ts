import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Json, parseYaml } from '@flotilla/machinery';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { FleetCluster } from '../../fleet/cluster.ts';
import { chooseFormat } from './choose-format.ts';
import { customCells, parseCustomColumns, parseCustomColumnsFile } from './custom-columns.ts';
import type { DocumentFormat } from './document.ts';
import { flatDocument } from './flat-document.ts';
import { goTemplatePrinter } from './go-template.ts';
import { jsonEnvelope } from './json-envelope.ts';
import { jsonPathPrinter } from './jsonpath.ts';
import { ndjson } from './ndjson.ts';
import { yamlEnvelope } from './yaml-envelope.ts';

describe('an output format', () => {
  for (const [output, template, wanted] of [
    ['', '', { kind: 'table', isWide: false }],
    ['wide', '', { kind: 'table', isWide: true }],
    ['JSON', '', { kind: 'json' }],
    ['yaml', '', { kind: 'yaml' }],
    ['name', '', { kind: 'name' }],
    ['csv', '', { kind: 'csv' }],
    ['jsonpath={.a}={.b}', '', { kind: 'jsonpath', template: '{.a}={.b}', isFile: false }],
    ['jsonpath', '{.a}', { kind: 'jsonpath', template: '{.a}', isFile: false }],
    ['jsonpath-file=x', '', { kind: 'jsonpath', template: 'x', isFile: true }],
    ['', '{{.a}}', { kind: 'go-template', template: '{{.a}}', isFile: false }],
    ['templatefile=x', '', { kind: 'go-template', template: 'x', isFile: true }],
    ['custom-columns=A:.a', '', { kind: 'custom-columns', template: 'A:.a', isFile: false }],
    ['plugin=x-1', '', { kind: 'plugin', name: 'x-1' }],
  ] as const) {
    test(`${output}${template === '' ? '' : ` --template ${template}`}`, () => {
      assert.deepEqual(chooseFormat(output, template), wanted);
    });
  }

  for (const [output, message] of [
    [
      'json=x',
      /^unable to match a printer suitable for the output format "json=x", allowed formats are: csv,/,
    ],
    ['Wide', /^unable to match/],
    ['jsonpath', /^template format specified but no template given$/],
    ['go-template=', /^template format specified but no template given$/],
    ['custom-columns', /^custom-columns format specified but no custom columns given$/],
    ['plugin=a/b', /names no output plugin/],
    ['__proto__', /^unable to match/],
  ] as const) {
    test(`${output} is refused`, () => {
      assert.throws(() => chooseFormat(output), { name: 'UsageError', message });
    });
  }
});

const pod = (name: string): Json => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, managedFields: [{}], annotations: { note: 'two\nlines: "<&>"\n' } },
});

function outcome(name: string, changes: Partial<Outcome<unknown>> = {}): Outcome<unknown> {
  const cluster = { name, profile: { namespace: 'fleet', manager: 'test' } } as FleetCluster;
  return { cluster, status: 'ok', elapsedMs: 5, value: { resourceVersion: '7' }, ...changes };
}

const FAILED = outcome('c2', {
  status: 'forbidden',
  value: undefined,
  failure: { reason: 'Forbidden', code: 403, message: 'no', hint: 'ask' },
});

function written(format: DocumentFormat, clusters: readonly [Outcome<unknown>, Json[]][]): string {
  const parts = clusters.flatMap(([each, objects]) => [
    ...format.cluster(
      each,
      objects.map((object) => format.item(object, each.cluster.name)),
    ),
  ]);
  return [format.open, ...parts, format.close(clusters.map(([each]) => each))].join('');
}

const ENVELOPE = { showManagedFields: false, requireAll: false };

describe('an envelope', () => {
  const clusters = (): [Outcome<unknown>, Json[]][] => [
    [outcome('c1'), [pod('a'), pod('b')]],
    [FAILED, []],
    [outcome('c3', { status: 'empty' }), []],
  ];

  test('is the same in JSON and in YAML, its keys in order', () => {
    const json = written(jsonEnvelope(ENVELOPE), clusters());
    const yaml = written(yamlEnvelope(ENVELOPE), clusters());
    const value = JSON.parse(json);

    assert.deepEqual(parseYaml(yaml).value, value);
    assert.deepEqual(Object.keys(value), ['apiVersion', 'clusters', 'kind', 'summary']);
    assert.deepEqual(Object.keys(value.clusters[0]), [
      'cluster',
      'elapsedMs',
      'items',
      'profile',
      'resourceVersion',
      'status',
    ]);
    assert.deepEqual(value.clusters[1], {
      cluster: 'c2',
      elapsedMs: 5,
      error: { code: 403, hint: 'ask', message: 'no', reason: 'Forbidden' },
      items: [],
      profile: { manager: 'test', namespace: 'fleet' },
      status: 'forbidden',
    });
    assert.equal(value.clusters[0].items[1].metadata.annotations.note, 'two\nlines: "<&>"\n');
    assert.equal(value.clusters[0].items[1].metadata.managedFields, undefined);
    assert.deepEqual(value.summary, {
      errors: { c2: 'no' },
      failed: 1,
      successful: 2,
      total: 3,
    });
    assert.equal(json, `${JSON.stringify(value, null, 4).replace(/[<>&]/g, escaped)}\n`);
  });

  test('of no clusters is whole', () => {
    const json = JSON.parse(written(jsonEnvelope(ENVELOPE), []));

    assert.deepEqual(json.clusters, []);
    assert.deepEqual(parseYaml(written(yamlEnvelope(ENVELOPE), [])).value, json);
  });

  test('counts what is absent as a failure where all must have it', () => {
    const absent: [Outcome<unknown>, Json[]][] = [
      [outcome('c1'), []],
      [outcome('c2', { status: 'absent' }), []],
      [outcome('c3', { status: 'skipped' }), []],
    ];
    const summary = (requireAll: boolean) =>
      JSON.parse(written(jsonEnvelope({ ...ENVELOPE, requireAll }), absent)).summary;

    assert.deepEqual(summary(false), { absent: 1, failed: 0, skipped: 1, successful: 1, total: 3 });
    assert.deepEqual(summary(true), {
      errors: { c2: 'absent' },
      failed: 1,
      skipped: 1,
      successful: 1,
      total: 3,
    });
  });
});

function escaped(char: string): string {
  return `\\u00${char.charCodeAt(0).toString(16)}`;
}

test('a flat list and lines of JSON have the same objects', () => {
  const clusters = (): [Outcome<unknown>, Json[]][] => [
    [outcome('c1'), [pod('a')]],
    [outcome('c2'), []],
    [outcome('c3'), [pod('b')]],
  ];
  const options = { showManagedFields: true };
  const json = JSON.parse(written(flatDocument('json', options), clusters()));

  assert.deepEqual(parseYaml(written(flatDocument('yaml', options), clusters())).value, json);
  assert.deepEqual(
    written(ndjson(options), clusters())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    json.items,
  );
  assert.deepEqual(
    json.items.map(
      ({ metadata }: { metadata: { annotations: Json } }) =>
        metadata.annotations['kubectl-mc.k8s.io/cluster'],
    ),
    ['c1', 'c3'],
  );
  assert.equal(json.items[0].metadata.managedFields.length, 1);
  assert.deepEqual(parseYaml(written(flatDocument('yaml', options), [])).value, {
    apiVersion: 'v1',
    items: [],
    kind: 'List',
    metadata: { resourceVersion: '' },
  });
});

describe('custom columns', () => {
  test('are read from a text or from two lines', () => {
    const object = { a: { b: 1 }, l: ['x', { y: 2 }], n: null, s: 'text' };
    const columns = parseCustomColumns('A:a.b,L:{.l[*]},N:.n,M:.missing,S:{s}');

    assert.deepEqual(
      columns.map(({ header }) => header),
      ['A', 'L', 'N', 'M', 'S'],
    );
    assert.deepEqual(customCells(object, columns), ['1', 'x,map[y:2]', '<nil>', '<none>', 'text']);
    assert.deepEqual(
      customCells(object, parseCustomColumnsFile('FIRST   SECOND\n.s  .a.b\nignored')),
      ['text', '1'],
    );
  });

  test('that cannot be read are refused in the words of kubectl', () => {
    for (const [read, message] of [
      [
        () => parseCustomColumns('A'),
        /^unexpected custom-columns spec: A, expected <header>:<json-path-expr>$/,
      ],
      [() => parseCustomColumns('A:{a}{b}'), /^unexpected path string, expected a 'name1\.name2'/],
      [() => parseCustomColumnsFile(''), /^invalid template, missing header line/],
      [() => parseCustomColumnsFile('A'), /^invalid template, missing spec line/],
      [
        () => parseCustomColumnsFile('A B\n.a'),
        /^number of headers \(2\) and field specifications \(1\) don't match$/,
      ],
    ] as const) {
      assert.throws(read, { name: 'UsageError', message });
    }
  });
});

test('templates that fail are told as kubectl tells them, without the whole fleet', () => {
  const print = jsonPathPrinter('{.a[5]}', { asJson: false, allowMissingKeys: true });
  assert.throws(() => print({ a: ['x'] }), {
    name: 'UsageError',
    message:
      'error executing jsonpath "{.a[5]}": Error executing template: array index out of bounds: index 5, length 1. Printing more information for debugging the template:\n\ttemplate was:\n\t\t{.a[5]}\n\tobject given to jsonpath engine was:\n\t\tmap[string]interface {}{"a":[]interface {}{"x"}}\n\n',
  });
  assert.throws(
    () => print({ a: ['x'], b: 'y'.repeat(100_000) }),
    ({ message }: Error) => message.length < 20_000,
  );
  assert.throws(() => jsonPathPrinter('{', { asJson: false, allowMissingKeys: true }), {
    message: 'error parsing jsonpath {, unclosed action',
  });
  assert.throws(() => goTemplatePrinter('{{.a', { allowMissingKeys: true }), {
    message: 'error parsing template {{.a, template: output:1: unclosed action',
  });
  assert.throws(() => goTemplatePrinter('{{len .a}}', { allowMissingKeys: true })({ a: 5 }), {
    message:
      'error executing template "{{len .a}}": template: output:1:2: executing "output" at <len .a>: error calling len: len of type int64',
  });
});
