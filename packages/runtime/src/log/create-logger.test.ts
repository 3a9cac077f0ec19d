import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { SecretValue } from '../conditions/redact.ts';
import { createLogger, type LogLevel } from './create-logger.ts';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlc2lnbmF0dXJl';
const PEM_BASE64 = Buffer.from(
  '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA==\n-----END EC PRIVATE KEY-----\n',
).toString('base64');

describe('a logger', () => {
  test('writes one line of JSON with level, time, fields and message', () => {
    const { logger, texts } = start();

    logger.info('Registered a cluster', { cluster: 'west', attempts: 2, ok: true, none: null });

    assert.equal(texts.length, 1);
    assert.equal(
      texts[0],
      '{"level":"info","time":"2026-01-02T03:04:05.000Z","cluster":"west","attempts":2,"ok":true,"none":null,"msg":"Registered a cluster"}\n',
    );
  });

  test('leaves out what is below its level, and children follow a change of it', () => {
    const { logger, lines } = start('warn');
    const child = logger.child({ controller: 'registration' });

    child.info('not written');
    logger.setLevel('debug');
    child.debug('written');
    logger.setLevel('silent');
    child.error('not written');

    assert.equal(logger.level(), 'silent');
    assert.deepEqual(
      lines().map(({ msg }) => msg),
      ['written'],
    );
  });

  test('puts the fields of children on their lines, the innermost last', () => {
    const { logger, lines } = start();

    const pass = logger.child({ controller: 'registration' }).child({ reconcileId: 'r1' });
    pass.warn('Slow', { reconcileId: 'r2' });

    const [line] = lines();
    assert.equal(line?.['controller'], 'registration');
    assert.equal(line?.['reconcileId'], 'r2');
  });

  test('tells of an error its kind, codes, causes and stack', () => {
    const { logger, lines } = start();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

    logger.error('Failed', { err: new TypeError('Cannot connect', { cause }) });

    const { err } = lines()[0] as Record<string, Record<string, Record<string, string>>>;
    assert.deepEqual([err?.['type'], err?.['message']], ['TypeError', 'Cannot connect']);
    assert.equal(err?.['cause']?.['code'], 'ECONNREFUSED');
    assert.match(String(err?.['stack']), /^\s+at .*create-logger/);
  });

  for (const [what, fields] of [
    ['a wrapped secret', { value: new SecretValue('hunter22') }],
    ['a header', { headers: { Authorization: 'hunter22', accept: 'x' } }],
    ['a password in depth', { a: [{ b: { password: 'hunter22' } }] }],
    ['our own fields', { inline: { tokenData: 'hunter22', clientKeyData: 'hunter22' } }],
    ['the data of a Secret', { object: { kind: 'Secret', data: { x: 'hunter22' } } }],
    ['the texts of a Secret', { object: { kind: 'Secret', stringData: { x: 'hunter22' } } }],
    ['a kubeconfig', { kubeconfig: 'hunter22' }],
    ['a bearer token in a text', { text: 'sent Authorization: Bearer hunter22' }],
    ['a token in an error', { err: new Error('token=hunter22') }],
    ['a token in a cause', { err: new Error('a', { cause: new Error('password: hunter22') }) }],
    ['a query', { url: 'https://a.example.com/x?sig=hunter22' }],
    ['bytes', { body: Buffer.from('hunter22') }],
    ['a map', { map: new Map([['token', 'hunter22']]) }],
    ['a number', { password: 271_828 }],
  ] as const) {
    test(`does not show ${what}`, () => {
      const { logger, texts } = start();

      logger.info('Something', fields);

      assert.equal(texts.length, 1);
      assert.doesNotMatch(texts[0] ?? '', /hunter|271828/);
    });
  }

  test('does not show keys and tokens that a message or a text contains', () => {
    const { logger, texts } = start();

    logger.info(`client-key-data: ${PEM_BASE64}`);
    logger.info('x', { text: `a ${PEM_BASE64} b`, other: `got ${JWT}` });
    logger.child({ line: `Bearer ${JWT}` }).info('x');

    assert.doesNotMatch(texts.join(''), /MHcCAQEEIA|LS0tLS1|eyJ/);
  });

  test('keeps what names a Secret, and flags about tokens', () => {
    const { logger, lines } = start();

    logger.info('x', { secretName: 'west', token: true, tokenExpiresAt: '2026-01-01T00:00:00Z' });

    const [line] = lines();
    assert.equal(line?.['secretName'], 'west');
    assert.equal(line?.['token'], true);
    assert.equal(line?.['tokenExpiresAt'], '2026-01-01T00:00:00Z');
  });

  test('bounds a line, however much it is given and however it must be escaped', () => {
    const { logger, texts, lines } = start();
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`k${i}`, 'x'.repeat(99)]),
    );
    const deep: Record<string, unknown> = {};
    deep['self'] = deep;

    logger.info('many', { list: Array.from({ length: 1e5 }, () => 'item'), wide });
    logger.info('deep', { deep });
    logger.info('long', { text: 'y'.repeat(1e6) });
    logger.info('\u0001'.repeat(1e5), { text: '\u0001'.repeat(1e5) });

    assert.equal(texts.length, 4);
    assert.ok(texts.every((text) => text.length <= 16_384 && text.endsWith('}\n')));
    assert.equal(texts.join('').split('\n').length, 5);
    assert.deepEqual(lines()[1]?.['deep'], { self: '[circular]' });
    assert.equal(lines()[3]?.['isCut'], true);
  });

  test('does not let fields replace what every line has', () => {
    const { logger, texts } = start();

    logger.info('true', { msg: 'false', level: 'error', time: 0 });

    assert.equal(
      texts[0],
      '{"level":"info","time":"2026-01-02T03:04:05.000Z","msg_":"false","level_":"error","time_":0,"msg":"true"}\n',
    );
  });
});

function start(level: LogLevel = 'info') {
  const texts: string[] = [];
  const logger = createLogger({
    sink: { write: (line) => texts.push(line) },
    clock: new ManualClock(Date.parse('2026-01-02T03:04:05Z')),
    level,
  });
  const lines = () => texts.map((text) => JSON.parse(text) as Record<string, unknown>);
  return { logger, texts, lines };
}
