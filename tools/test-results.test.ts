import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { latestResults, recordResults, type TestEvent } from './test-results.ts';

describe('a journal of test results', () => {
  test('holds what passed and what failed', () => {
    using journal = temporaryJournal();

    const counts = journal.record({ a: [pass('one'), fail('two')] });

    assert.deepEqual(counts, { passed: 1, failed: 1 });
    assert.deepEqual(journal.read(), [
      { file: 'a', title: 'one', passed: true },
      { file: 'a', title: 'two', passed: false },
    ]);
  });

  test('leaves out suites, skipped and unfinished tests', () => {
    using journal = temporaryJournal();

    const counts = journal.record({
      a: [
        pass('suite', { details: { type: 'suite' } }),
        pass('skipped', { skip: true }),
        pass('skipped for a reason', { skip: 'no Go' }),
        fail('unfinished', { todo: '' }),
        pass('run', { details: { type: 'test' } }),
      ],
    });

    assert.deepEqual(counts, { passed: 1, failed: 0 });
    assert.deepEqual(titles(journal.read()), ['run']);
  });

  test('keeps the files that a partial run did not have', () => {
    using journal = temporaryJournal();
    journal.record({ a: [pass('one')], b: [pass('two')] });

    journal.record({ b: [fail('two')] }, { isFull: false });

    assert.deepEqual(journal.read(), [
      { file: 'a', title: 'one', passed: true },
      { file: 'b', title: 'two', passed: false },
    ]);
  });

  test('forgets a pass that the last run of its file did not repeat', () => {
    using journal = temporaryJournal();
    journal.record({
      a: [pass('renamed'), pass('kept')],
      b: [pass('of a file that fails to load')],
    });

    journal.record({ a: [pass('kept')], b: [] }, { isFull: false });

    assert.deepEqual(titles(journal.read()), ['kept']);
  });

  test('begins anew with a full run, which may no longer have a file', () => {
    using journal = temporaryJournal();
    journal.record({ a: [pass('one')], removed: [pass('two')] });

    journal.record({ a: [pass('one')] });

    assert.deepEqual(titles(journal.read()), ['one']);
  });

  test('does not mix two runs of one file that write at the same time', () => {
    using journal = temporaryJournal();
    const first = new EventEmitter();
    const second = new EventEmitter();
    journal.begin(first, 'first', ['a']);
    journal.begin(second, 'second', ['a']);

    second.emit('test:fail', { name: 'one', file: 'a' });
    first.emit('test:pass', { name: 'one', file: 'a' });

    assert.deepEqual(journal.read(), [{ file: 'a', title: 'one', passed: false }]);
  });

  test('ignores a partial run that a full run has overtaken', () => {
    using journal = temporaryJournal();
    const overtaken = new EventEmitter();
    journal.begin(overtaken, 'overtaken', ['a', 'removed']);
    journal.record({ a: [pass('one')] });

    overtaken.emit('test:fail', { name: 'one', file: 'a' });
    overtaken.emit('test:pass', { name: 'two', file: 'removed' });

    assert.deepEqual(journal.read(), [{ file: 'a', title: 'one', passed: true }]);
  });

  test('is readable after a runner was killed while it wrote', () => {
    const text =
      '{"run":"1","files":["a"]}\n{"run":"1","file":"a","title":"one","passed":true}\n{"file":"b","title":"two","passed":true}\n{"run"';

    assert.deepEqual(titles(latestResults(text)), ['one']);
  });
});

interface Outcome {
  readonly type: 'test:pass' | 'test:fail';
  readonly event: TestEvent;
}

function pass(name: string, more: Partial<TestEvent> = {}): Outcome {
  return { type: 'test:pass', event: { name, ...more } };
}

function fail(name: string, more: Partial<TestEvent> = {}): Outcome {
  return { type: 'test:fail', event: { name, ...more } };
}

function titles(results: readonly { title: string }[]): string[] {
  return results.map(({ title }) => title);
}

function temporaryJournal() {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-results-'));
  const journal = join(folder, 'results.jsonl');
  let runs = 0;
  const begin = (events: EventEmitter, run: string, files: string[], isFull = false) =>
    recordResults(events, { journal, run, files, isFull, nameOf: (path) => path });
  return {
    begin,
    record(files: Record<string, Outcome[]>, { isFull = true } = {}) {
      const events = new EventEmitter();
      runs += 1;
      const counts = begin(events, String(runs), Object.keys(files), isFull);
      for (const [file, outcomes] of Object.entries(files)) {
        for (const { type, event } of outcomes) events.emit(type, { ...event, file });
      }
      return counts;
    },
    read: () => latestResults(readFileSync(journal, 'utf8')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
