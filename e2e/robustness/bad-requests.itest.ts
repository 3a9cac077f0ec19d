import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { seeded } from '../../packages/machinery/src/testing/seeded.ts';
import {
  type Client,
  connectClient,
  connectSocket,
  objectOf,
  PROTOCOLS,
  readAll,
} from './client.ts';
import { startInProcess } from './in-process.ts';
import { type Expectation, expectAll, isStatus } from './refused.ts';
import { readLines } from './watch-reader.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

const get = (path: string, status: number, says?: RegExp): Expectation => ({
  title: path.slice(0, 200),
  request: `GET ${path}`,
  status,
  ...(says === undefined ? {} : { says }),
});

async function create(client: Client, path: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { status } = await client.send(`POST ${path}`, { body: { metadata: { name } } });
    assert.equal(status, 201);
  }
}

for (const protocol of PROTOCOLS) {
  describe(`requests over ${protocol}`, () => {
    test('with tricky paths reach nothing they should not', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      await create(client, '/api/v1/namespaces/default/secrets', ['hidden']);

      await expectAll(client, [
        get('/api/v1/namespaces/default/configmaps/../secrets/hidden', 404),
        get('/api/v1/namespaces/default/configmaps/%2e%2e/secrets/hidden', 404),
        get('/api/v1/namespaces/default/configmaps/..%2fsecrets%2fhidden', 404),
        get('/api/v1/namespaces/default/configmaps%2f..%2fsecrets%2fhidden', 404),
        get('/api/v1/namespaces/default%2fsecrets%2fhidden', 404),
        get('/api/v1/namespaces/default/secrets/hidden%00', 404),
        get('/api/v1/namespaces/default/secrets/%00hidden', 404),
        get('/api/v1/namespaces/default/secrets/hid%0d%0aden', 404),
        get('//api/v1/namespaces/default/secrets/hidden', 404),
        get('/api//v1/namespaces/default/secrets/hidden', 404),
        get('/api/v1/namespaces//secrets/hidden', 404),
        get('/api/v1/namespaces/default/secrets//hidden', 404),
        get('/api/v1/./namespaces', 404),
        get('/api/v1/namespaces/default/secrets/hidden%', 400),
        get('/api/v1/namespaces/default/secrets/%ff%fe', 400),
        get('/api/v1/namespaces/default/secrets/%c0%ae%c0%ae', 400),
        get('/clusters/root/control-plane/../../api/v1/namespaces', 404),
        get('/clusters/other/control-plane/api/v1/namespaces', 404),
        get('/clusters/root/control-plane/api/v1/namespaces/default', 200),
        get('/api/v1/namespaces/default/secrets/__proto__', 404),
        get('/api/v1/__proto__', 404),
        get('/apis/constructor/v1/toString', 404),
        get(`/api/v1/namespaces/default/secrets/${'a'.repeat(60_000)}`, 404),
        get(`/api/v1/namespaces/${'a/'.repeat(20_000)}`, 404),
        get(`${PATH}?${'a=b&'.repeat(15_000)}`, 200),
      ]);
    });

    // Just below 64 KB, where node's HTTP/2 gives up the whole connection.
    test('with selectors of every absurdity are answered, and soon', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const begun = performance.now();
      const by = (selector: string): string =>
        `${PATH}?labelSelector=${encodeURIComponent(selector)}`;
      const fields = (selector: string): string =>
        `${PATH}?fieldSelector=${encodeURIComponent(selector)}`;

      await expectAll(client, [
        get(by('('.repeat(18_000)), 400),
        get(by('!'.repeat(18_000)), 400),
        get(by(','.repeat(18_000)), 400),
        get(by(`a in (${'b,'.repeat(14_000)}c)`), 200),
        get(by(Array.from({ length: 4_000 }, (_, index) => `k${index}!=v`).join()), 200),
        get(by('a>9007199254740993,a<99999999999999999999'), 400),
        get(by('a>9007199254740993'), 200),
        get(by('__proto__=x'), 400),
        get(by('constructor=x,toString!=y'), 200),
        // To Go's reader of selectors this byte is the end of the text.
        get(by('a=\u0000'), 200),
        get(fields('='.repeat(18_000)), 400),
        get(fields('__proto__=x'), 400),
        get(fields('constructor=x'), 400),
        get(fields(Array.from({ length: 2_000 }, () => 'metadata.name=a').join()), 200),
        get(fields('metadata.name=a\\'), 400),
      ]);

      assert.ok(performance.now() - begun < 5_000, `${performance.now() - begun} ms`);
    });

    test('with a selector of a megabyte are refused by the size of their headers', async () => {
      await using server = await startInProcess();
      const path = `${PATH}?labelSelector=${'a'.repeat(1_000_000)}`;
      if (protocol === 'h1') {
        const socket = await connectSocket(server.target);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
        assert.match(String(await readAll(socket)), /^HTTP\/1.1 431 .*"kind":"Status"/s);
      } else {
        using client = connectClient(server.target, protocol);
        await assert.rejects(client.send(`GET ${path}`));
      }
      using client = connectClient(server.target, protocol);
      assert.equal((await client.send(`GET ${PATH}`)).status, 200);
    });

    test('with continue tokens that nobody gave out are 400, and show nothing else', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const secrets = '/api/v1/namespaces/default/secrets';
      await create(client, PATH, ['a', 'b', 'c']);
      await create(client, secrets, ['x', 'y', 'z']);
      const page = await client.send(`GET ${secrets}?limit=1`);
      const { continue: given } = objectOf<{ metadata: { continue: string } }>(page).metadata;
      const token = (fields: object): string =>
        Buffer.from(JSON.stringify(fields)).toString('base64url');
      const v = 'meta.k8s.io/v1';
      const more = (text: string): string => `${PATH}?limit=1&continue=${encodeURIComponent(text)}`;

      await expectAll(client, [
        get(more('nonsense'), 400),
        get(more('%%%'), 400),
        get(more('A'.repeat(60_000)), 400),
        get(more(token({})), 400),
        get(more(token({ v, rv: 1 })), 400),
        // Below zero stands for "as it is now".
        get(more(token({ v, rv: -5, start: 'a\u0000' })), 200),
        get(more(token({ v, rv: 0, start: 'a\u0000' })), 400),
        get(more(token({ v, rv: 1e18, start: 'a\u0000' })), 400),
        get(more(token({ v, rv: '1', start: 'a\u0000' })), 400),
        get(more(token({ v: 'v0', rv: 1, start: 'a\u0000' })), 400),
        get(more(token({ v, rv: 3, start: '../../secrets/default/\u0000' })), 400),
        get(more(token({ v, rv: 3, start: '/../../secrets/default/\u0000' })), 400),
        get(more(token({ v, rv: [3], start: { a: 1 } })), 400),
        get(more(`${given}x`), 400),
      ]);

      // A token of another collection is as good as one of this: it holds a name, nothing else.
      const crossed = await client.send(`GET ${more(given)}`);
      const { items } = objectOf<{ items: { metadata: { name: string } }[] }>(crossed);
      assert.equal(crossed.status, 200);
      assert.ok(items.every(({ metadata }) => !'xyz'.includes(metadata.name)));
      const random = seeded(5);
      for (let round = 0; round < 200; round++) {
        const bytes = Buffer.from(given, 'base64url');
        bytes[random.below(bytes.length)] = random.below(256);
        const answer = await client.send(`GET ${more(bytes.toString('base64url'))}`);
        assert.ok(
          [200, 400, 410, 504].includes(answer.status),
          `${answer.status} ${bytes.toString()}`,
        );
        assert.ok(!answer.body.includes('"name":"y"'));
      }
    });

    test('with options that are no options are refused', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      for (const query of [
        'limit=abc',
        'limit=99999999999999999999',
        'resourceVersion=abc',
        'resourceVersion=-1',
        'resourceVersion=1e3',
        'resourceVersion=99999999999999999999999',
        'resourceVersionMatch=Nope&resourceVersion=1',
        'timeoutSeconds=x',
        'timeout=x',
        'sendInitialEvents=true',
        'watch=true&resourceVersion=abc',
        'watch=true&sendInitialEvents=true',
        'watch=true&timeoutSeconds=1e9',
      ]) {
        const { body, ...head } = await client.open(`GET ${PATH}?${query}`);
        if (head.status < 400) body.destroy();
        assert.ok(head.status >= 400, `${query}: ${head.status}`);
        isStatus({ ...head, body: await readAll(body) }, query);
      }
      for (const accept of ['text/html', 'application/cbor', 'x', ';;;', 'a/b;q=2']) {
        const answer = await client.send(`GET ${PATH}`, { headers: { accept } });
        assert.equal(answer.status, 406, accept);
      }
    });

    test('with credentials that are none are 401, whatever they look like', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const part = (value: unknown): string =>
        Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString(
          'base64url',
        );
      const jwt = (...parts: unknown[]): string => `Bearer ${parts.map(part).join('.')}`;
      const claims = {
        iss: 'https://kubernetes.default.svc.cluster.local',
        sub: 'admin',
        exp: 9e9,
      };
      const head = { alg: 'ES256', typ: 'JWT' };

      for (const authorization of [
        'Bearer',
        'Bearer ',
        'Bearer a.b.c',
        'Bearer ..',
        `Bearer ${'.'.repeat(10_000)}`,
        `Bearer ${'A'.repeat(50_000)}`,
        'Basic YWRtaW46YWRtaW4=',
        'Negotiate x',
        jwt({ alg: 'none' }, claims, ''),
        jwt({ alg: 'HS256' }, claims, 'x'),
        jwt(head, claims, 'x'.repeat(64)),
        jwt(head, claims, ''),
        jwt(head, '['.repeat(20_000), 'x'),
        jwt('{"__proto__":{"alg":"ES256"}}', claims, 'x'),
        jwt(head, { ...claims, exp: 'never', aud: { a: 1 }, iss: ['x'] }, 'x'.repeat(64)),
        jwt(null, null, null),
        jwt([], 7, true),
      ]) {
        const answer = await client.send(`GET ${PATH}`, { headers: { authorization } });
        assert.equal(answer.status, 401, authorization.slice(0, 80));
        assert.equal(isStatus(answer, authorization).reason, 'Unauthorized');
      }
    });

    test('for watches as long as anyone may ask go on', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const long = 'watch=true&resourceVersion=1&timeoutSeconds=31536000';
      const { status, body } = await client.open(`GET ${PATH}?${long}`);
      const lines: string[] = [];
      const over = readLines(body, (line) => lines.push(line));
      assert.equal(status, 200);

      await create(client, PATH, ['late']);

      while (!lines.some((line) => line.includes('"late"'))) await delay(5);
      body.destroy();
      await over;
    });

    test('with keys of Object.prototype keep them as keys, and change no prototype', async () => {
      await using server = await startInProcess();
      using client = connectClient(server.target, protocol);
      const keys = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'];
      const data = Object.fromEntries(keys.map((key) => [key, key]));
      const text = JSON.stringify(data);
      assert.match(text, /^\{"__proto__"/);
      const patch = (type: string, body: string): Expectation => ({
        title: `${type} ${body}`,
        request: `PATCH ${PATH}/p`,
        sent: { body, type },
        status: 200,
      });

      await expectAll(client, [
        {
          title: 'create',
          request: `POST ${PATH}`,
          sent: {
            body: `{"metadata":{"name":"p","annotations":{"constructor":"c"},"__proto__":{"polluted":"1"}},"data":${text},"__proto__":{"polluted":"1"},"constructor":{"prototype":{"polluted":"1"}}}`,
          },
          status: 201,
        },
        {
          title: 'labels',
          request: `POST ${PATH}`,
          sent: { body: '{"metadata":{"name":"q","labels":{"__proto__":"x"}}}' },
          status: 422,
        },
        {
          title: 'labels that are allowed',
          request: `POST ${PATH}`,
          sent: { body: '{"metadata":{"name":"r","labels":{"constructor":"x","toString":"y"}}}' },
          status: 201,
        },
        patch(MERGE, '{"__proto__":{"polluted":"1"},"data":{"__proto__":"again"}}'),
        patch(STRATEGIC, '{"__proto__":{"polluted":"1"},"data":{"__proto__":"once more"}}'),
        patch(STRATEGIC, '{"metadata":{"__proto__":{"polluted":"1"}}}'),
        patch(JSON_PATCH, '[{"op":"add","path":"/__proto__","value":{"polluted":"1"}}]'),
        patch(JSON_PATCH, '[{"op":"replace","path":"/data/__proto__","value":"last"}]'),
        patch(JSON_PATCH, '[{"op":"test","path":"/data/constructor","value":"constructor"}]'),
        {
          title: 'through a prototype',
          request: `PATCH ${PATH}/p`,
          sent: {
            body: '[{"op":"add","path":"/metadata/__proto__/polluted","value":"1"}]',
            type: JSON_PATCH,
          },
          status: 422,
        },
        {
          title: 'through a constructor',
          request: `PATCH ${PATH}/p`,
          sent: {
            body: '[{"op":"add","path":"/metadata/constructor/prototype/polluted","value":"1"}]',
            type: JSON_PATCH,
          },
          status: 422,
        },
        get(`${PATH}?labelSelector=constructor%3Dx,toString`, 200, /"name":"r"/),
        get(`${PATH}?labelSelector=constructor,!toString`, 200, /"items":\[\]/),
        get(`${PATH}?labelSelector=valueOf`, 200, /"items":\[\]/),
      ]);

      const secret = await client.send('POST /api/v1/namespaces/default/secrets', {
        body: `{"metadata":{"name":"p"},"stringData":${text}}`,
      });
      assert.equal(secret.status, 201);
      assert.deepEqual(
        Object.keys(objectOf<{ data: object }>(secret).data).sort(),
        [...keys].sort(),
        'what was acknowledged is not all there',
      );

      const read = await client.send(`GET ${PATH}/p`);
      const found = JSON.parse(read.body.toString()) as { data: Record<string, string> };
      assert.equal(Object.getOwnPropertyDescriptor(found.data, '__proto__')?.value, 'last');
      assert.deepEqual(Object.keys(found.data).sort(), [...keys].sort());
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      assert.ok(!read.body.includes('polluted'));
    });
  });
}
