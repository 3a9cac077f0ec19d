import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connectClient, objectOf, PROTOCOLS, type Sent } from './client.ts';
import { startInProcess } from './in-process.ts';
import { type Expectation, expectAll, isStatus } from './refused.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const MILLION = 1_000_000;
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const YAML = 'application/yaml';
const object = (rest: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bad"}${rest}}`;

for (const protocol of PROTOCOLS) {
  describe(`bodies over ${protocol}`, () => {
    test('that break off are 400, wherever they do', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const json = object(',"data":{"a":"\\u00e9","b":"2"},"immutable":true');
      const yaml = 'kind: ConfigMap\nmetadata: {name: "bad", labels: {a: b}}\ndata: {"a": "b"}\n';

      for (let length = 0; length < json.length; length += 3) {
        const answer = await client.send(`POST ${PATH}`, { body: json.slice(0, length) });
        assert.equal(answer.status, 400, json.slice(0, length));
        isStatus(answer, json.slice(0, length));
      }
      for (const cut of [30, 40, 50, yaml.length - 3]) {
        const body = yaml.slice(0, cut);
        assert.equal((await client.send(`POST ${PATH}`, { body, type: YAML })).status, 400, body);
      }
    });

    test('a million levels deep are 400, in every form and at every place', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const lists = '['.repeat(MILLION);
      const closed = lists + ']'.repeat(MILLION);
      const objects = '{"":'.repeat(700_000);
      const patch = `PATCH ${PATH}/kube-root-ca.crt`;
      const deepValue = `[{"op":"add","path":"/data","value":${closed}}]`;

      await expectAll(client, [
        ...[lists, closed, objects, object(`,"data":${closed}`)].map(
          (body): Expectation => ({
            title: body.slice(0, 80),
            request: `POST ${PATH}`,
            sent: { body },
            status: 400,
            says: /exceeded max depth/,
          }),
        ),
        ...[MERGE, STRATEGIC].map(
          (type): Expectation => ({
            title: type,
            request: patch,
            sent: { body: `{"data":${closed}}`, type },
            status: 400,
          }),
        ),
        {
          title: 'JSON patch',
          request: patch,
          sent: { body: deepValue, type: JSON_PATCH },
          status: 400,
        },
        // Upstream has no code of its own for options it cannot read.
        { title: 'options', request: `DELETE ${PATH}/x`, sent: { body: closed }, status: 500 },
        ...[lists, closed, '- '.repeat(MILLION), '? '.repeat(MILLION), '{a: '.repeat(600_000)].map(
          (body): Expectation => ({
            title: `YAML ${body.slice(0, 20)}`,
            request: `POST ${PATH}`,
            sent: { body, type: YAML },
            status: 400,
          }),
        ),
      ]);
    });

    test('as deep as they may be are kept whole, through reads and patches', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
      const deep = `${'{"a":'.repeat(9_900)}1${'}'.repeat(9_900)}`;
      const body = `{"metadata":{"name":"deep"},"revision":1,"data":${deep}}`;
      const patch = (type: string, value: string): Sent => ({
        body: `{"metadata":{"annotations":{"a":"${value}"}}}`,
        type,
      });
      const whole = async (request: string, sent?: Sent): Promise<void> => {
        const answer = await client.send(request, sent);
        assert.ok(answer.status < 300, `${request}: ${answer.body.subarray(0, 300)}`);
        assert.ok(answer.body.includes(deep), request);
      };

      await whole(`POST ${path}`, { body });
      await whole(`GET ${path}/deep`);
      await whole(`GET ${path}`);
      await whole(`PATCH ${path}/deep`, patch(MERGE, 'b'));
      await whole(`PATCH ${path}/deep`, patch(STRATEGIC, 'c'));
      const add = `[{"op":"add","path":"/metadata/annotations/a","value":"d"},{"op":"test","path":"/data","value":${deep}}]`;
      await whole(`PATCH ${path}/deep`, { body: add, type: JSON_PATCH });
      const read = await client.send(`GET ${path}/deep`);
      await whole(`PUT ${path}/deep`, { body: read.body.toString().replace('"d"', '"e"') });
      const yaml = await client.send(`GET ${path}/deep`, { headers: { accept: YAML } });
      assert.equal(yaml.status, 406, 'indented, it would be a hundred megabytes');
    });

    test('in YAML that refer to themselves are refused before they grow', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const laughs = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
      for (let level = 1; level < 12; level++) {
        const inner = Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ');
        laughs.push(`a${level}: &a${level} [${inner}]`);
      }
      const begun = performance.now();

      await expectAll(
        client,
        [
          ['laughs', `${laughs.join('\n')}\nmetadata: {name: bad}`],
          ['itself', 'metadata: &m {name: bad, labels: *m}'],
          ['unknown', 'metadata: *nowhere'],
          ['merged with itself', 'a: &a {<<: *a}'],
          ['tabs', 'metadata:\n\tname: bad'],
          ['control', 'metadata: {name: "a\u0001"}'],
        ].map(
          ([title = '', body = '']): Expectation => ({
            title,
            request: `POST ${PATH}`,
            sent: { body, type: YAML },
            status: 400,
          }),
        ),
      );
      assert.ok(performance.now() - begun < 5_000, `${performance.now() - begun} ms`);
    });

    test('of 10 MB are 413, declared or not, and the connection goes on', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const body = object(`,"data":{"a":"${'x'.repeat(10_000_000)}"}`);
      const says = /^\{"kind":"Status".*"message":"Request entity too large: limit is 3145728"/;
      const large = (request: string, sent: Sent): Expectation => ({
        title: request,
        request,
        sent: { body, ...sent },
        status: 413,
        says,
      });

      await expectAll(client, [
        large(`POST ${PATH}`, {}),
        large(`POST ${PATH}`, { isUndeclared: true }),
        large(`POST ${PATH}`, { type: YAML }),
        large(`PUT ${PATH}/bad`, {}),
        large(`PATCH ${PATH}/kube-root-ca.crt`, { type: MERGE }),
        large(`DELETE ${PATH}/bad`, {}),
        large(`DELETE ${PATH}`, {}),
        { title: 'goes on', request: `GET ${PATH}`, status: 200 },
      ]);
    });

    test('of unknown types are 415, and of wrong ones 400', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const body = object('');
      const types = [
        'text/plain',
        'application/xml',
        'x',
        'application/json2',
        'multipart/form-data',
      ];

      await expectAll(client, [
        ...types.flatMap((type): Expectation[] => [
          { title: type, request: `POST ${PATH}`, sent: { body, type }, status: 415 },
          { title: type, request: `PATCH ${PATH}/bad`, sent: { body, type }, status: 415 },
        ]),
        ...['application/vnd.kubernetes.protobuf', YAML].map(
          (type): Expectation => ({
            title: `JSON as ${type}`,
            request: `POST ${PATH}`,
            sent: { body: body.slice(0, 20), type },
            status: 400,
          }),
        ),
        {
          title: 'a patch as JSON',
          request: `PATCH ${PATH}/kube-root-ca.crt`,
          sent: { body },
          status: 415,
        },
      ]);
    });

    test('with bytes that are no UTF-8 keep nothing invalid', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const invalid = Buffer.from([0xff, 0xfe, 0xc3]);
      const [before = '', after = ''] = object(',"data":{"a":"|"}').split('|');
      const body = Buffer.concat([Buffer.from(before), invalid, Buffer.from(after)]);

      const answer = await client.send(`POST ${PATH}`, { body });

      assert.equal(answer.status, 201);
      assert.equal(objectOf<{ data: { a: string } }>(answer).data.a, '\ufffd\ufffd\ufffd');
      const yaml = Buffer.concat([Buffer.from('metadata: {name: b'), invalid, Buffer.from('}')]);
      assert.equal((await client.send(`POST ${PATH}`, { body: yaml, type: YAML })).status, 400);
      const key = Buffer.concat([Buffer.from('{"'), invalid, Buffer.from('":1}')]);
      const patched = await client.send(`PATCH ${PATH}/bad`, { body: key, type: MERGE });
      assert.equal(patched.status, 200);
      const read = await client.send(`GET ${PATH}/bad`);
      assert.ok(!read.body.includes(invalid));
    });

    test('with fields nobody knows are warned of, whatever script they are in', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const name = 'größe 数据 \ud83d\ude00 "';
      const body = { metadata: { name: 'odd' }, [name]: 1, ['\u0007'.repeat(100)]: 1 };

      const answer = await client.send(`POST ${PATH}`, { body });

      assert.equal(answer.status, 201);
      const warning = Buffer.from(String(answer.headers['warning']), 'latin1').toString();
      assert.match(warning, /^299 - "unknown field .*größe 数据 \ud83d\ude00/);
      const large = { metadata: { name: 'large' }, ['x'.repeat(2_000_000)]: 1 };
      assert.equal((await client.send(`POST ${PATH}`, { body: large })).status, 201);
    });

    test('with a key twice warn, or are refused where asked', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const body = object(',"data":{"a":"1","a":"2"},"data":{"b":"3"}');
      const yaml = 'metadata: {name: bad, name: worse}\ndata: {a: b}';
      const dry = `POST ${PATH}?dryRun=All`;

      await expectAll(client, [
        {
          title: 'strict',
          request: `${dry}&fieldValidation=Strict`,
          sent: { body },
          status: 400,
          says: /strict decoding error: .*duplicate field/,
        },
        {
          title: 'strict YAML',
          request: `${dry}&fieldValidation=Strict`,
          sent: { body: yaml, type: YAML },
          status: 400,
          says: /already set in map/,
        },
      ]);
      const warned = await client.send(dry, { body });
      assert.equal(warned.status, 201);
      assert.match(String(warned.headers['warning']), /duplicate field/);
      assert.deepEqual(objectOf<{ data: object }>(warned).data, { b: '3' });
    });
  });
}
