import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createAsk } from './create-ask.ts';

function world() {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const ask = createAsk({ input: () => input, output, signal: stop.signal, interrupt: () => {} });
  let said = '';
  output.on('data', (chunk) => {
    said += String(chunk);
  });
  return { input, output, stop, ask, said: () => said };
}

test('each question is answered with a line, even if they come all at once', async () => {
  const { input, ask, said } = world();
  input.write('one\ntwo\nthr');
  assert.equal(await ask('first? '), 'one');
  assert.equal(await ask('second? '), 'two');
  const third = ask('third? ');
  input.write('ee\n');
  assert.equal(await third, 'three');
  assert.equal(said(), 'first? second? third? ');
});

test('when nobody is there any more, nobody answers', async () => {
  const { input, ask } = world();
  const asked = ask('who? ');
  input.end('me');
  assert.equal(await asked, 'me');
  assert.equal(await ask('and? '), undefined);
});

test('a question that is open when the run is interrupted has no answer', async () => {
  const { stop, ask } = world();
  const asked = ask('who? ');
  await new Promise(setImmediate);
  stop.abort(new Error('enough'));
  assert.equal(await asked, undefined);
  assert.equal(await ask('and? '), undefined);
});
