import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seeded } from '@flotilla/machinery/testing';
import { type AnswerHead, MalformedAnswer } from './answer-head.ts';
import { AnswerParser } from './answer-parser.ts';

describe('an HTTP/1.1 answer', () => {
  const ANSWERS: {
    name: string;
    text: string;
    body: string;
    rest?: string;
    isReusable: boolean;
  }[] = [
    {
      name: 'with a length',
      text: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
      body: 'hello',
      isReusable: true,
    },
    {
      name: 'without a reason',
      text: 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n',
      body: '',
      isReusable: true,
    },
    {
      name: 'with a length said twice',
      text: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nab',
      body: 'ab',
      isReusable: true,
    },
    {
      name: 'in chunks',
      text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n',
      body: 'abc0123456789',
      isReusable: true,
    },
    {
      name: 'after interim ones',
      text: 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
      body: 'x',
      isReusable: true,
    },
    {
      name: 'that wants to close',
      text: 'HTTP/1.1 200 OK\r\nConnection: keep-alive, Close\r\nContent-Length: 1\r\n\r\nx',
      body: 'x',
      isReusable: false,
    },
    {
      name: 'of HTTP/1.0',
      text: 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx',
      body: 'x',
      isReusable: false,
    },
    {
      name: 'without content',
      text: 'HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n',
      body: '',
      isReusable: true,
    },
    {
      name: 'with more behind it',
      text: 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n',
      body: 'x',
      rest: 'HTTP/1.1 200 OK\r\n',
      isReusable: false,
    },
  ];
  for (const { name, text, body, rest = '', isReusable } of ANSWERS) {
    test(`${name} is the same however it is cut`, () => {
      const bytes = Buffer.from(text, 'latin1');
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const read = parse([bytes.subarray(0, cut), bytes.subarray(cut)]);
        assert.deepEqual(
          [read.body, read.parser.isDone, read.parser.isReusable, read.parser.rest.toString()],
          [body, true, isReusable, rest],
          `cut at ${cut}`,
        );
      }
      assert.equal(parse([...bytes].map((byte) => Buffer.from([byte]))).body, body);
    });
  }

  test('without a length lasts until the server closes', () => {
    const read = parse([Buffer.from('HTTP/1.1 200 OK\r\n\r\nabc')]);

    assert.equal(read.parser.isDone, false);
    read.parser.close();
    assert.deepEqual([read.body, read.parser.isReusable], ['abc', false]);
  });

  test('has its headers joined, and its warnings one by one', () => {
    const { head } = parse([
      Buffer.from(
        'HTTP/1.1 200 OK\r\nVary: A\r\nvary:  B \r\nWarning: 299 - "a, b"\r\nWarning: 299 - "ä"\r\nContent-Length: 0\r\n__proto__: x\r\n\r\n',
      ),
    ]);

    assert.equal(head?.headers['vary'], 'A, B');
    assert.deepEqual(head?.warnings, ['299 - "a, b"', '299 - "ä"']);
    assert.equal(head?.headers['warning'], undefined);
  });

  const MALFORMED = [
    'HTTP/2 200 OK\r\n\r\n',
    'SSH-2.0-OpenSSH_9.6\r\n',
    '\x15\x03\x01\x00\x02\x02\x46',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 099 OK\r\n\r\n',
    'HTTP/1.1 200 OK\nContent-Length: 0\n\n\r\n\r\n',
    'HTTP/1.1 200 OK\r\nNo colon\r\n\r\n',
    'HTTP/1.1 200 OK\r\n: empty\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA : b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\r\n',
    `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(9000)}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(20_000)}`,
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(30),
  ];
  for (const text of MALFORMED) {
    test(`is refused when it is ${JSON.stringify(text.slice(0, 70))}`, () => {
      assert.throws(() => parse([Buffer.from(text, 'latin1')]), MalformedAnswer);
    });
  }

  test('that is cut off is no answer', () => {
    for (const { text } of ANSWERS.slice(0, 5)) {
      for (let cut = 0; cut < text.length; cut += 1) {
        const { parser } = parse([Buffer.from(text.slice(0, cut))]);
        assert.throws(() => parser.close(), MalformedAnswer, `cut at ${cut} of ${text}`);
      }
    }
  });

  test('made of noise is read or refused, and nothing else', () => {
    const { below: pick } = seeded(7);
    let refused = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const bytes = Buffer.from(ANSWERS[pick(ANSWERS.length)]!.text, 'latin1');
      for (let change = pick(4); change >= 0; change -= 1) {
        const at = pick(bytes.length);
        bytes[at] = pick(3) === 0 ? [13, 10, 58, 32, 48, 0][pick(6)]! : pick(256);
      }
      const cut = pick(bytes.length);
      try {
        const { parser } = parse([bytes.subarray(0, cut), bytes.subarray(cut)]);
        parser.close();
        assert.ok(parser.isDone);
      } catch (error) {
        assert.ok(error instanceof MalformedAnswer, String(error));
        refused += 1;
      }
    }
    assert.ok(refused > 5000 && refused < 19_000, `${refused} refused`);
  });
});

function parse(pieces: Buffer[]) {
  const read: { body: string; head: AnswerHead | undefined; ends: number } = {
    body: '',
    head: undefined,
    ends: 0,
  };
  const parser = new AnswerParser({
    isHeadRequest: false,
    isUpgrade: false,
    headBytes: 65_536,
    sink: {
      onHead: (head) => {
        assert.equal(read.head, undefined, 'one head');
        read.head = head;
      },
      onBody: (chunk) => {
        assert.equal(read.ends, 0, 'no body after the end');
        read.body += chunk.toString('latin1');
      },
      onEnd: () => {
        read.ends += 1;
        assert.equal(read.ends, 1, 'one end');
      },
    },
  });
  for (const piece of pieces) parser.feed(piece);
  return {
    parser,
    get body() {
      return read.body;
    },
    head: read.head,
  };
}
