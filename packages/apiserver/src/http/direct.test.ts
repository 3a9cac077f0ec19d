import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallContext } from './call.ts';
import { createDirect, type DirectReader, type DirectRequest } from './direct.ts';
import type { ApiRequest, Handle, Sink } from './exchange.ts';
import { callContext } from './inject.ts';

const GET: DirectRequest = { method: 'GET', path: '/api/v1/pods?watch=true', headers: [] };

describe('a request without a socket', () => {
  test('is seen like any other and answered in full', async () => {
    let seen: ApiRequest | undefined;
    const { direct, context } = open(async (request) => {
      seen = request;
      const body = await request.body(100);
      return { status: 201, headers: { warning: ['a', 'b'] }, body: [body, Buffer.from('!')] };
    });
    const heard = reader();
    direct.ask(
      {
        method: 'POST',
        path: '/a?b=c',
        headers: [
          ['x-y', '1'],
          ['x-y', '2'],
        ],
        body: 'text',
      },
      heard,
    );
    await heard.over;

    assert.equal(seen?.query.get('b'), 'c');
    assert.equal(seen?.headers['x-y'], '1, 2');
    assert.deepEqual(seen?.rawHeaders, ['x-y', '1', 'x-y', '2']);
    assert.deepEqual(heard.said, ['201 a,b', 'text!', 'end']);
    assert.equal(context.counts.requests, 0);
  });

  test('calls back from a later turn of the event loop', async () => {
    const { direct } = open(async () => ({ status: 200, headers: {}, body: Buffer.from('x') }));
    const heard = reader();
    direct.ask(GET, heard);
    await Promise.resolve().then(() => {});

    assert.deepEqual(heard.said, []);
    await heard.over;
    assert.deepEqual(heard.said, ['200 ', 'x', 'end']);
  });

  test('that streams waits while its reader pauses, and drops nothing', async () => {
    let sink: Sink | undefined;
    const { direct } = open(streaming((given) => (sink = given)));
    const heard = reader();
    const source = direct.ask(GET, heard);
    await heard.head;
    let drained = 0;

    assert.equal(sink?.write(Buffer.from('1')), true);
    source.pause();
    assert.equal(sink?.write(Buffer.from('22')), false);
    assert.equal(sink?.buffered, 2);
    sink?.onDrain(() => (drained += 1));
    assert.equal(drained, 0);
    source.resume();
    assert.deepEqual([drained, sink?.buffered], [1, 0]);
    assert.equal(sink?.write(Buffer.from('3')), true);
    sink?.end();
    await heard.over;

    assert.deepEqual(heard.said, ['200 ', '1', '22', '3', 'end']);
  });

  test('that its asker leaves tells the handler, and the asker nothing more', async () => {
    let sink: Sink | undefined;
    let signal: AbortSignal | undefined;
    const stream = streaming((given) => (sink = given));
    const { direct, context } = open((request) => {
      signal = request.signal;
      return stream(request);
    });
    const heard = reader();
    const source = direct.ask(GET, heard);
    await heard.head;
    let isClosed = false;
    sink?.onClose(() => (isClosed = true));
    source.cancel();

    assert.equal(signal?.aborted, true);
    assert.equal(isClosed, true);
    assert.equal(sink?.write(Buffer.from('late')), false);
    assert.deepEqual(heard.said, ['200 ']);
    assert.equal(context.counts.requests, 0);
  });

  test('that is left before its answer gets to let go of what it holds', async () => {
    let isReleased = false;
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { direct } = open(async () => {
      await asked;
      return {
        status: 200,
        headers: {},
        body: { start: (sink) => sink.onClose(() => (isReleased = true)) },
      };
    });
    const heard = reader();
    direct.ask(GET, heard).cancel();
    answer?.();
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));

    assert.equal(isReleased, true);
    assert.deepEqual(heard.said, []);
  });

  test('of a reader that is too slow is broken off', async () => {
    let sink: Sink | undefined;
    const { direct } = open(streaming((given) => (sink = given)));
    const heard = reader();
    direct.ask(GET, heard).pause();
    await heard.head;
    sink?.destroy();
    await heard.over;

    assert.deepEqual(heard.said, ['200 ', 'gone']);
  });

  test('ends with the server, and none begins after it', async () => {
    const { direct, context } = open(streaming(() => {}));
    const before = reader();
    direct.ask(GET, before);
    await before.head;
    direct.close();
    const after = reader();
    direct.ask(GET, after);
    await Promise.all([before.over, after.over]);

    assert.deepEqual([before.said, after.said], [['200 ', 'gone'], ['gone']]);
    assert.equal(context.counts.requests, 0);
  });

  test('is refused once the server drains', async () => {
    const { direct } = open(
      streaming(() => {}),
      { isDraining: () => true },
    );
    const heard = reader();
    direct.ask(GET, heard);
    await heard.over;

    assert.deepEqual(heard.said, ['gone']);
  });
});

function open(handle: Handle, differences: Partial<CallContext> = {}) {
  const context = callContext(handle, differences);
  return { direct: createDirect(context), context };
}

function streaming(take: (sink: Sink) => void): Handle {
  return async () => ({ status: 200, headers: {}, body: { start: take } });
}

/** Writes down what it hears. */
function reader(): DirectReader & {
  readonly said: string[];
  readonly head: Promise<void>;
  readonly over: Promise<void>;
} {
  const said: string[] = [];
  let begin = () => {};
  let end = () => {};
  const head = new Promise<void>((resolve) => (begin = resolve));
  const over = new Promise<void>((resolve) => (end = resolve));
  return {
    said,
    head,
    over,
    onHead: (status, headers) => {
      said.push(`${status} ${String(headers['warning'] ?? '')}`);
      begin();
    },
    onBody: (chunk) => void said.push(chunk.toString()),
    onEnd: () => {
      said.push('end');
      end();
    },
    onGone: () => {
      said.push('gone');
      end();
    },
  };
}
