import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ManualClock } from '../authn/manual-clock.ts';
import { dataFolder } from '../data-files.ts';
import { type InjectedRequest, inject } from '../http/inject.ts';
import { createOpenApi } from './openapi.ts';

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const V3_PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const LEASES = '/openapi/v3/apis/coordination.k8s.io/v1';
const STARTED = 'Thu, 01 Jan 2026 00:00:00 GMT';
const HOUR_MS = 3_600_000;

const folder = join(dataFolder(), 'openapi');

describe('OpenAPI v2', () => {
  test('JSON comes with its SHA-512 as the tag and the time the server started', async () => {
    const { status, headers, body, json } = await ask('/openapi/v2');

    assert.equal(status, 200);
    assert.deepEqual(shown(headers), {
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`,
      'last-modified': STARTED,
      vary: 'Accept-Encoding, Accept',
    });
    assert.equal(json().swagger, '2.0');
  });

  test('protobuf comes under both its names, with the tag of the JSON', async () => {
    const plain = await ask('/openapi/v2');
    for (const accept of [V2_PROTOBUF, V2_PROTOBUF.replace('v2.v1', 'v2@v1')]) {
      const { status, headers, body } = await ask('/openapi/v2', { accept });

      assert.equal(status, 200);
      assert.equal(headers['content-type'], V2_PROTOBUF);
      assert.equal(headers['etag'], plain.headers['etag']);
      // Field 1 of gnostic's Document is the version.
      assert.equal(body.subarray(0, 5).toString('latin1'), '\x0a\x032.0');
      assert.ok(body.includes('io.k8s.api.core.v1.ConfigMap'));
    }
  });

  test('a client that reads gzip gets the stored bytes, in either form', async () => {
    for (const [accept, file] of [
      ['application/json', 'v2.json.gz'],
      [V2_PROTOBUF, 'v2.pb.gz'],
    ] as const) {
      const plain = await ask('/openapi/v2', { accept });
      const zipped = await ask('/openapi/v2', { accept, 'accept-encoding': 'br, gzip;q=0.5' });

      assert.equal(zipped.headers['content-encoding'], 'gzip');
      assert.deepEqual(zipped.body, readFileSync(join(folder, file)));
      assert.deepEqual(gunzipSync(zipped.body), plain.body);
      assert.equal(plain.headers['content-encoding'], undefined);
    }
  });

  test('a client that refuses gzip gets none', async () => {
    const { headers } = await ask('/openapi/v2', { 'accept-encoding': 'gzip;q=0, identity' });
    assert.equal(headers['content-encoding'], undefined);
  });

  test('the most wanted media type decides, and JSON among equals', async () => {
    const types = {
      '': 'application/json',
      '*/*': 'application/json',
      'application/*': 'application/json',
      'application/json;as=Table': 'application/json',
      'application/json;q=0': 'application/json',
      [`application/json;q=0.5, ${V2_PROTOBUF}`]: V2_PROTOBUF,
      [`*/*, ${V2_PROTOBUF}`]: V2_PROTOBUF,
      [`${V2_PROTOBUF};q=0.3, */*;q=0.5`]: 'application/json',
    };
    for (const [accept, type] of Object.entries(types)) {
      const { headers } = await ask('/openapi/v2', { accept });
      assert.equal(headers['content-type'], type, accept);
    }
  });

  test('other media types are 406 without a body', async () => {
    for (const accept of ['application/xml', 'text/html, application/yaml', 'nonsense']) {
      const { status, headers, body } = await ask('/openapi/v2', { accept });

      assert.equal(status, 406);
      assert.deepEqual(shown(headers), {
        'cache-control': 'no-cache, private',
        vary: 'Accept-Encoding, Accept',
      });
      assert.equal(body.length, 0);
    }
  });

  test('the method does not matter, and HEAD has no body', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, body } = await ask('/openapi/v2', {}, { method });
      assert.equal(status, 200);
      assert.ok(body.length > 0);
    }
    const head = await ask('/openapi/v2', {}, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    assert.equal(head.headers['content-type'], 'application/json');
  });

  test('the paths around it are left to others', async () => {
    for (const path of ['/openapi/v2/', '/openapi/v2/x', '/openapi', '/openapi/v4']) {
      assert.equal((await ask(path)).text(), 'not here', path);
    }
  });
});

describe('the index of OpenAPI v3', () => {
  test('names every document by the hash of its JSON', async () => {
    const { status, headers, json } = await ask('/openapi/v3', { accept: 'application/xml' });

    assert.equal(status, 200);
    assert.deepEqual(shown(headers), {
      'cache-control': 'no-cache, private',
      'content-type': 'text/plain; charset=utf-8',
      'last-modified': STARTED,
    });
    const { paths } = json();
    assert.equal(Object.keys(paths)[0], '.well-known/openid-configuration');
    for (const [name, { serverRelativeURL }] of Object.entries<Record<string, string>>(paths)) {
      const { body } = await ask(`/openapi/v3/${name}`);
      const hash = createHash('sha512').update(body).digest('hex').toUpperCase();
      assert.equal(serverRelativeURL, `/openapi/v3/${name}?hash=${hash}`);
    }
  });

  test('is always new', async () => {
    const clock = new ManualClock(STARTED);
    const handle = handler(clock);
    clock.advance(HOUR_MS);
    const { status, headers } = await inject(handle, {
      path: '/openapi/v3',
      headers: { 'If-Modified-Since': STARTED },
    });

    assert.equal(status, 200);
    assert.equal(headers['last-modified'], 'Thu, 01 Jan 2026 01:00:00 GMT');
  });
});

describe('a document of OpenAPI v3', () => {
  test('comes as JSON, and as protobuf under both its names', async () => {
    const plain = await ask(LEASES);
    assert.equal(plain.json().openapi, '3.0.0');
    assert.deepEqual(shown(plain.headers), {
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      etag: plain.headers['etag'],
      'last-modified': STARTED,
      vary: 'Accept',
    });
    for (const accept of [V3_PROTOBUF, V3_PROTOBUF.replace('v3.v1', 'v3@v1')]) {
      const { headers, body } = await ask(LEASES, { accept });
      assert.equal(headers['content-type'], V3_PROTOBUF);
      assert.equal(headers['etag'], plain.headers['etag']);
      assert.equal(body.subarray(0, 7).toString('latin1'), '\x0a\x053.0.0');
      assert.ok(body.includes('io.k8s.api.coordination.v1.Lease'));
    }
  });

  test('whoever reads gzip gets the stored bytes, and caches are told', async () => {
    const { headers, body } = await ask(LEASES, { 'accept-encoding': 'gzip' });

    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(headers['vary'], 'Accept-Encoding, Accept');
    const stored = join(folder, 'v3/apis__coordination.k8s.io__v1.json.gz');
    assert.deepEqual(body, readFileSync(stored));
  });

  test('asked for by its hash, it may be kept for a year', async () => {
    const { serverRelativeURL } = (await ask('/openapi/v3')).json().paths[
      'apis/coordination.k8s.io/v1'
    ];
    const { status, headers } = await ask(serverRelativeURL);

    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, immutable');
    assert.equal(headers['expires'], 'Fri, 01 Jan 2027 00:00:00 GMT');
    assert.equal(headers['vary'], 'Accept');
  });

  test('asked for by another hash, it has moved', async () => {
    const { headers: current } = await ask(LEASES);
    const hash = String(current['etag']).replaceAll('"', '');
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      [V3_PROTOBUF, V3_PROTOBUF],
    ] as const) {
      const { status, headers, body } = await ask(`${LEASES}?hash=old`, {
        accept,
        'accept-encoding': 'gzip',
        'if-none-match': String(current['etag']),
      });

      assert.equal(status, 301);
      assert.deepEqual(shown(headers), {
        'cache-control': 'no-cache, private',
        'content-type': type,
        etag: current['etag'],
        location: `${LEASES}?hash=${hash}`,
        vary: 'Accept',
      });
      assert.equal(body.length, 0);
    }
    assert.equal((await ask(`${LEASES}?hash=`)).status, 200);
  });

  test('an encoded path leads to it too', async () => {
    const path = LEASES.replace('apis/', '%61pis/');
    const moved = await ask(`${path}?hash=old`);

    assert.equal((await ask(path)).status, 200);
    assert.ok(String(moved.headers['location']).startsWith(`${LEASES}?hash=`));
  });

  test('other media types are 406, and none at all is an empty answer', async () => {
    const other = await ask(`${LEASES}?hash=old`, { accept: V2_PROTOBUF });
    assert.equal(other.status, 406);
    assert.equal(other.headers['vary'], 'Accept');
    const none = await ask(LEASES, { accept: 'nonsense' });
    assert.equal(none.status, 200);
    assert.equal(none.body.length, 0);
  });

  test('an unknown one is 404 without a body', async () => {
    for (const name of ['', 'nope', 'apis/nope/v1', 'apis/apps/v1/', 'constructor']) {
      const { status, headers, body } = await ask(`/openapi/v3/${name}`, {
        accept: 'application/xml',
      });
      assert.equal(status, 404, name);
      assert.deepEqual(shown(headers), { 'cache-control': 'no-cache, private' });
      assert.equal(body.length, 0);
    }
  });
});

describe('conditional requests', () => {
  test('a known tag is 304 and keeps only what a cache needs', async () => {
    const { headers: current } = await ask('/openapi/v2');
    const etag = String(current['etag']);
    for (const known of [etag, `"x", W/${etag}`, '*']) {
      const { status, headers, body } = await ask('/openapi/v2', {
        'if-none-match': known,
        'accept-encoding': 'gzip',
      });
      assert.equal(status, 304, known);
      assert.deepEqual(shown(headers), {
        'cache-control': 'no-cache, private',
        etag,
        vary: 'Accept-Encoding, Accept',
      });
      assert.equal(body.length, 0);
    }
  });

  test('a time counts only where there is no tag', async () => {
    const since = { 'if-modified-since': STARTED };
    assert.equal((await ask('/openapi/v2', since)).status, 304);
    assert.equal((await ask('/openapi/v2', { ...since, 'if-none-match': '"x"' })).status, 200);
    for (const time of ['Wed, 31 Dec 2025 23:59:59 GMT', 'rubbish']) {
      assert.equal((await ask('/openapi/v2', { 'if-modified-since': time })).status, 200, time);
    }
  });

  test('what has no tag is known by its time alone', async () => {
    const { status, headers } = await ask('/openapi/v3', { 'if-none-match': '*' });
    assert.equal(status, 304);
    assert.equal(headers['last-modified'], STARTED);
  });

  test('a precondition that does not hold is 412', async () => {
    const etag = String((await ask('/openapi/v2')).headers['etag']);
    const { status, headers, body } = await ask('/openapi/v2', { 'if-match': '"x"' });
    assert.equal(status, 412);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['last-modified'], STARTED);
    assert.equal(body.length, 0);

    const past = 'Wed, 31 Dec 2025 00:00:00 GMT';
    assert.equal((await ask('/openapi/v2', { 'if-match': etag })).status, 200);
    assert.equal((await ask('/openapi/v2', { 'if-unmodified-since': past })).status, 412);
    const written = await ask('/openapi/v2', { 'if-none-match': etag }, { method: 'POST' });
    assert.equal(written.status, 412);
  });
});

function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  rest: Partial<InjectedRequest> = {},
) {
  return inject(handler(new ManualClock(STARTED)), { path, headers, ...rest });
}

function handler(clock: ManualClock) {
  const openApi = createOpenApi(folder, clock);
  return async (request: Parameters<typeof openApi>[0]) =>
    openApi(request) ?? { status: 404, headers: {}, body: Buffer.from('not here') };
}

/** The headers that are not the transport's own. */
function shown(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { 'audit-id': _, ...others } = headers;
  return others;
}
