import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWarnings, type ServerWarning, warningReporter } from './warnings.ts';

test('warnings are read with their escapes, dates and neighbours', () => {
  assert.deepEqual(
    parseWarnings(
      '299 - "say \\"hi\\" \\\\" "Wed, 21 Oct 2015 07:28:00 GMT", 199 proxy "two, three"',
    ),
    [
      { code: 299, agent: '-', text: 'say "hi" \\' },
      { code: 199, agent: 'proxy', text: 'two, three' },
    ],
  );
});

test('what is no warning is left out', () => {
  for (const header of ['', 'hello', '299 -', '299 - text', '2999 - "x"', '299 - "\u001b[31m"']) {
    assert.deepEqual(parseWarnings(header), [], header);
  }
});

test('each text is told once', () => {
  const told: ServerWarning[] = [];
  const report = warningReporter((warning) => told.push(warning));

  report(['299 - "a"', '299 - "b"']);
  report(['299 - "a"', '299 - ""']);

  assert.deepEqual(
    told.map(({ text }) => text),
    ['a', 'b'],
  );
});
