import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { encodeProtobuf } from '../../packages/apiserver/src/codec/protobuf.ts';
import { typeTables } from '../../packages/apiserver/src/codec/type-tables.ts';
import { type Client, connectClient, PROTOCOLS, type Sent } from './client.ts';
import { startFlotilla, temporaryFolder } from './flotilla-process.ts';
import { startInProcess } from './in-process.ts';
import { readLines } from './watch-reader.ts';

const PODS = '/api/v1/namespaces/default/pods';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
/** Each is one more than a number JavaScript can hold, or at the end of Go's range. */
const EXACT = ['9007199254740993', '9223372036854775807', '9223372036854775806'];
/** Fields without a type keep whatever number was sent. */
const UNTYPED = ['9007199254740993', '-9223372036854775808', '18446744073709551615'];

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

async function ok(client: Client, request: string, sent?: Sent): Promise<string> {
  const answer = await client.send(request, sent);
  const text = answer.body.toString();
  assert.ok(answer.status < 300, `${request}: ${text.slice(0, 500)}`);
  return text;
}

const pod = (name: string, seconds: string): string =>
  `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"},"spec":{"terminationGracePeriodSeconds":${seconds},"containers":[{"name":"c","image":"i"}]}}`;
const revision = (name: string, number: string): string =>
  `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"${name}"},"revision":7,"data":{"number":${number},"list":[${number}]}}`;

for (const protocol of PROTOCOLS) {
  describe(`integers over ${protocol}`, () => {
    test('stay exact from create to watch, through every kind of patch', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      for (const number of EXACT) {
        const name = `p${number}`;
        const field = `"terminationGracePeriodSeconds":${number},`;
        const has = (text: string): void => assert.ok(text.includes(field), text.slice(0, 2_000));
        const { body } = await client.open(`GET ${PODS}?watch=true&resourceVersion=1`);
        const lines: string[] = [];
        const over = readLines(body, (line) => lines.push(line));

        has(await ok(client, `POST ${PODS}`, { body: pod(name, number) }));
        has(await ok(client, `GET ${PODS}/${name}`));
        has(await ok(client, `GET ${PODS}?fieldSelector=metadata.name%3D${name}`));
        has(await ok(client, `GET ${PODS}`));
        const label = { metadata: { labels: { a: 'b' } } };
        has(await ok(client, `PATCH ${PODS}/${name}`, { body: label, type: MERGE }));
        label.metadata.labels.a = 'c';
        has(await ok(client, `PATCH ${PODS}/${name}`, { body: label, type: STRATEGIC }));
        const test = { op: 'test', path: '/spec/terminationGracePeriodSeconds' };
        const operations = (value: string): string =>
          `[${JSON.stringify(test).slice(0, -1)},"value":${value}},{"op":"add","path":"/metadata/labels/d","value":"e"}]`;
        has(
          await ok(client, `PATCH ${PODS}/${name}`, { body: operations(number), type: JSON_PATCH }),
        );
        const neighbour = await client.send(`PATCH ${PODS}/${name}`, {
          body: operations(String(BigInt(number) - 1n)),
          type: JSON_PATCH,
        });
        assert.equal(neighbour.status, 422);
        const read = await ok(client, `GET ${PODS}/${name}`);
        has(await ok(client, `PUT ${PODS}/${name}`, { body: read.replace('"d":"e"', '"d":"f"') }));

        await eventually(() => lines.filter((line) => line.includes(name)).length === 5);
        for (const line of lines.filter((each) => each.includes(name))) has(line);
        body.destroy();
        await over;
      }
    });

    test('stay exact where there is no type, in JSON, YAML and protobuf', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      for (const [index, number] of UNTYPED.entries()) {
        const expected = `"data":{"list":[${number}],"number":${number}}`;
        const sorted = `"data":{"number":${number},"list":[${number}]}`;
        const has = (text: string): void =>
          assert.ok(text.includes(expected) || text.includes(sorted), text);
        const name = `r${index}`;
        const body = revision(name, number);
        has(await ok(client, `POST ${REVISIONS}`, { body }));
        has(await ok(client, `GET ${REVISIONS}/${name}`));
        const other = { metadata: { annotations: { a: 'b' } } };
        has(await ok(client, `PATCH ${REVISIONS}/${name}`, { body: other, type: MERGE }));
        other.metadata.annotations.a = 'c';
        has(await ok(client, `PATCH ${REVISIONS}/${name}`, { body: other, type: STRATEGIC }));
        // Data may not change: an update that rounded a number would be one.
        const read = await ok(client, `GET ${REVISIONS}/${name}`);
        has(
          await ok(client, `PUT ${REVISIONS}/${name}`, {
            body: read.replace('"a":"c"', '"a":"d"'),
          }),
        );
        const yaml = `metadata: {name: y${index}}\nrevision: 1\ndata: {number: ${number}, list: [${number}]}\n`;
        has(await ok(client, `POST ${REVISIONS}`, { body: yaml, type: 'application/yaml' }));
      }
      const struct = typeTables().struct('core/v1.Pod');
      const object = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'protobuf' },
        spec: {
          terminationGracePeriodSeconds: 9007199254740993n,
          containers: [{ name: 'c', image: 'i' }],
        },
      };
      const type = 'application/vnd.kubernetes.protobuf';
      const text = await ok(client, `POST ${PODS}`, { body: encodeProtobuf(struct, object), type });
      assert.match(text, /"terminationGracePeriodSeconds":9007199254740993,/);
    });

    test('beyond their type are refused, and never rounded into it', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      for (const number of [
        '9223372036854775808',
        '-9223372036854775809',
        '99999999999999999999',
        '1e400',
        '1.5',
        '"7"',
      ]) {
        const { status } = await client.send(`POST ${PODS}`, { body: pod('p', number) });
        assert.equal(status, 400, number);
      }
    });
  });
}

test('integers stay exact over a restart', async () => {
  using folder = temporaryFolder();
  const options = { dataFolder: join(folder.path, 'data') };
  {
    await using server = await startFlotilla(options);
    using client = connectClient(server.target);
    await ok(client, `POST ${PODS}`, { body: pod('p', '9007199254740993') });
  }
  await using server = await startFlotilla(options);
  using client = connectClient(server.target);

  const text = await ok(client, `GET ${PODS}/p`);

  assert.match(text, /"terminationGracePeriodSeconds":9007199254740993,/);
});

async function eventually(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 2_000 && !holds(); round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.ok(holds());
}
