import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import type { LinePiece } from './line-cutter.ts';
import { LineOutput, type LineSource } from './line-output.ts';

function screen(isSlow = false) {
  const clock = new ManualClock();
  let text = '';
  const drains: (() => void)[] = [];
  const output = new LineOutput({
    clock,
    write: async (bytes) => {
      text += String(bytes);
      if (isSlow) await new Promise<void>((resolve) => drains.push(resolve));
    },
  });
  return { output, clock, text: () => text, drain: () => drains.shift()?.() };
}

const source = (name: string): LineSource => ({ prefix: Buffer.from(`[${name}] `) });
const line = (text: string): LinePiece => ({
  bytes: Buffer.from(text),
  isStart: true,
  isEnd: true,
});
const begun = (text: string): LinePiece => ({ ...line(text), isEnd: false });
const more = (text: string): LinePiece => ({ ...begun(text), isStart: false });
const last = (text: string): LinePiece => ({ ...more(text), isEnd: true });
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('every line has the prefix of its source', async () => {
  const { output, text } = screen();
  const [a, b] = [source('a'), source('b')];
  await output.put(a, [line('1'), line('2')]);
  await output.put(b, [line('')]);
  assert.equal(text(), '[a] 1\n[a] 2\n[b] \n');
});

test('a line in pieces has the output for itself', async () => {
  const { output, text } = screen();
  const [a, b] = [source('a'), source('b')];
  await output.put(a, [begun('begin ')]);
  const waiting = output.put(b, [line('other')]);
  await output.put(a, [more('middle ')]);
  assert.equal(text(), '[a] begin middle ');
  await output.put(a, [last('end'), line('next')]);
  await waiting;
  assert.equal(text(), '[a] begin middle end\n[a] next\n[b] other\n');
});

test('a line that does not go on is cut when others have waited for five seconds', async () => {
  const { output, text, clock } = screen();
  const [a, b] = [source('a'), source('b')];
  await output.put(a, [begun('begin')]);
  const waiting = output.put(b, [line('other')]);
  await clock.advance(4_900);
  await output.put(a, [more('.')]);
  await clock.advance(4_900);
  assert.equal(text(), '[a] begin.');
  await clock.advance(200);
  await waiting;
  await output.put(a, [last('end')]);
  assert.equal(text(), '[a] begin.\n[b] other\n[a] end\n');
});

test('a last line without an end stays so unless another follows', async () => {
  const { output, text } = screen();
  const [a, b] = [source('a'), source('b')];
  await output.put(a, [begun('no newline')]);
  output.end(a);
  assert.equal(text(), '[a] no newline');
  await output.put(b, [line('other')]);
  assert.equal(text(), '[a] no newline\n[b] other\n');
});

test('blocks stand together, and their owners come one after the other', async () => {
  const { output, text, clock } = screen();
  const [first, second] = [{}, {}];
  const one = { ...source('one'), owner: first };
  const two = { ...source('two'), owner: first };
  const three = { ...source('three'), owner: second };
  await output.hold(first);
  const holding = output.hold(second);
  await output.put(one, [line('1')]);
  await output.put(two, [begun('2')]);
  // Nobody is impatient with a block.
  await clock.advance(60_000);
  await output.putRaw(one, Buffer.from('raw\n'));
  output.release(first);
  await holding;
  await output.put(three, [line('3')]);
  output.release(second);
  assert.equal(text(), '[one] 1\n[two] 2\nraw\n[three] 3\n');
});

test('a reader that is slow holds up those who write', async () => {
  const { output, text, drain } = screen(true);
  const [a, b] = [source('a'), source('b')];
  const writes = [output.put(a, [line('1')]), output.put(b, [line('2')])];
  await settled();
  assert.equal(text(), '[a] 1\n');
  drain();
  await settled();
  assert.equal(text(), '[a] 1\n[b] 2\n');
  drain();
  await Promise.all(writes);
});
