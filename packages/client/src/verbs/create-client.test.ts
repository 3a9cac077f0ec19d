import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isExpired, isGone, StatusError } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { ConfigMaps } from '../kinds.ts';
import { createClient } from './create-client.ts';
import { type Scripted, scriptedTransport } from './testing/scripted-transport.ts';

const expired: Scripted = {
  status: 410,
  body: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' },
};

describe('lists that expire between two pages', () => {
  const script = (path: string): Scripted => {
    const query = new URLSearchParams(path.split('?')[1]);
    if (query.has('continue')) return expired;
    if (query.has('limit')) return list(['old'], { resourceVersion: '5', continue: 'token' });
    return list(['new', 'newer'], { resourceVersion: '9' });
  };

  test('are asked for again, whole, at the revision that was asked for first', async () => {
    const transport = scriptedTransport(({ path }) => script(path));
    const client = createClient(transport);

    const { items, metadata } = await client.list(ConfigMaps, {
      namespace: 'a',
      pageSize: 1,
      resourceVersion: '4',
      resourceVersionMatch: 'NotOlderThan',
      labelSelector: 'x=y',
    });

    assert.deepEqual(
      items.map(({ metadata: { name } }) => name),
      ['new', 'newer'],
    );
    assert.equal(metadata.resourceVersion, '9');
    const at = 'resourceVersion=4&resourceVersionMatch=NotOlderThan';
    assert.deepEqual(
      transport.requests.map(({ path }) => path.replace('/api/v1/namespaces/a/configmaps?', '')),
      [
        `labelSelector=x%3Dy&limit=1&${at}`,
        'labelSelector=x%3Dy&limit=1&continue=token',
        `labelSelector=x%3Dy&${at}`,
      ],
    );
  });

  test('end a loop over pages of tables in the same way', async () => {
    const transport = scriptedTransport(({ path }) => script(path));
    const client = createClient(transport);
    const seen: unknown[] = [];

    await assert.rejects(async () => {
      for await (const { rows } of client.tablePages(ConfigMaps, { includeObject: 'None' })) {
        seen.push(rows[0]?.cells[0]);
      }
    }, isExpired);

    assert.deepEqual(seen, ['old']);
    assert.deepEqual(
      transport.requests.map(({ path }) => path),
      [
        '/api/v1/configmaps?limit=500&includeObject=None',
        '/api/v1/configmaps?limit=500&continue=token&includeObject=None',
      ],
    );
  });

  test('end a loop over pages, as those handed out cannot be taken back', async () => {
    const client = createClient(scriptedTransport(({ path }) => script(path)));
    const seen: number[] = [];

    await assert.rejects(async () => {
      for await (const page of client.pages(ConfigMaps, { pageSize: 1 })) {
        seen.push(page.items.length);
      }
    }, isExpired);

    assert.deepEqual(seen, [1]);
  });

  test('that are expired from the start stay so', async () => {
    const client = createClient(scriptedTransport(() => expired));

    await assert.rejects(client.list(ConfigMaps), isExpired);
  });
});

describe('a watch', () => {
  const line = (type: string, name: string) =>
    `${JSON.stringify({ type, object: { metadata: { name }, big: 1 } })}\n`;

  test('reads events over any chunks, with integers of any size', async () => {
    const bytes = Buffer.from(
      line('ADDED', 'ä').replace('"big":1', '"big":9007199254740993') + line('BOOKMARK', 'b'),
    );
    for (let cut = 1; cut < bytes.length; cut++) {
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const transport = scriptedTransport(() => ({ chunks }));

      const events = await all(createClient(transport).watch(ConfigMaps));

      assert.deepEqual(events, [
        { type: 'ADDED', object: { metadata: { name: 'ä' }, big: 9_007_199_254_740_993n } },
        { type: 'BOOKMARK', object: { metadata: { name: 'b' }, big: 1 } },
      ]);
      assert.equal(transport.closed(), 1);
    }
  });

  test('throws the Status of an ERROR', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 410, reason: 'Gone', message: 'old' };
    const body = `${line('ADDED', 'a')}${JSON.stringify({ type: 'ERROR', object: status })}\n`;
    const events = createClient(scriptedTransport(() => ({ body }))).watch(ConfigMaps);
    const iterator = events[Symbol.asyncIterator]();

    await iterator.next();

    await assert.rejects(iterator.next(), (error) => error instanceof StatusError && isGone(error));
  });

  test('tells a cut from an end', async () => {
    const whole = line('ADDED', 'a');
    const events = (body: string) =>
      all(createClient(scriptedTransport(() => ({ body }))).watch(ConfigMaps));

    assert.equal((await events(whole.trimEnd())).length, 1);
    await assert.rejects(events(whole + whole.slice(0, 20)), { fault: 'closed' });
    await assert.rejects(events(`${whole}nonsense\n${whole}`), { fault: 'malformed' });
    await assert.rejects(events('{"type":"ODD","object":{}}\n'), { fault: 'malformed' });
  });

  test('that is refused says why, and is closed', async () => {
    const transport = scriptedTransport(() => expired);

    await assert.rejects(all(createClient(transport).watch(ConfigMaps)), isExpired);
    assert.equal(transport.closed(), 1);
  });

  test('that is left is closed', async () => {
    const body = line('ADDED', 'a').repeat(3);
    const transport = scriptedTransport(() => ({ body }));

    for await (const _ of createClient(transport).watch(ConfigMaps)) break;

    assert.equal(transport.closed(), 1);
  });
});

describe('a server that knows only whole objects', () => {
  const body = {
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '3' },
    items: [
      { metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' }, data: { x: 'y' } },
    ],
  };
  const client = createClient(
    scriptedTransport(() => ({ body })),
    { clock: new ManualClock('2026-01-01T00:05:00Z') },
  );

  test('still gives tables, of name and age', async () => {
    const table = await client.table(ConfigMaps, { includeObject: 'None' });

    assert.equal(table.isFromServer, false);
    assert.deepEqual(
      table.columnDefinitions.map(({ name }) => name),
      ['Name', 'Age'],
    );
    assert.deepEqual(table.rows, [{ cells: ['a', '5m'] }]);
    const { rows } = await client.table(ConfigMaps);
    assert.equal(rows[0]?.object?.kind, 'PartialObjectMetadata');
    assert.equal(rows[0]?.object?.['data'], undefined);
  });

  test('still gives metadata alone', async () => {
    const { items } = await client.list(ConfigMaps, { metadataOnly: true });

    assert.deepEqual(items, [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: body.items[0]?.metadata },
    ]);
  });
});

test('a failure that comes with 200 is a failure', async () => {
  const body = { kind: 'Status', status: 'Failure', code: 409, reason: 'Conflict', message: 'no' };
  const client = createClient(scriptedTransport(() => ({ body })));

  await assert.rejects(client.get(ConfigMaps, { namespace: 'a', name: 'b' }), { code: 409 });
});

test('an answer that is no JSON is the transport’s fault, not the server’s refusal', async () => {
  const client = createClient(scriptedTransport(() => ({ body: '<html>' })));

  await assert.rejects(client.list(ConfigMaps), { fault: 'malformed' });
});

function list(names: readonly string[], metadata: object): Scripted {
  return {
    body: { kind: 'ConfigMapList', metadata, items: names.map((name) => ({ metadata: { name } })) },
  };
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
