import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseScript } from './script.ts';

test('a script is read command by command, with here-documents and marks', () => {
  const text = '# intro\nkubectl a\n\nkubectl b -f - <<EOF\nx: 1\n\nEOF\n#! unordered\nkubectl c\n';
  assert.deepEqual(parseScript(text), [
    { text: 'kubectl a', unordered: false },
    { text: 'kubectl b -f - <<EOF\nx: 1\n\nEOF', unordered: false },
    { text: 'kubectl c', unordered: true },
  ]);
});

test('an open here-document is refused', () => {
  assert.throws(() => parseScript('kubectl a <<EOF\nx\n'), /no line "EOF" ends it/);
});

test('the scripts of the tree hold at least 150 commands', () => {
  const folder = join(FLOTILLA_ROOT, 'e2e', 'kubectl', 'scripts');
  const commands = readdirSync(folder).flatMap((file) =>
    parseScript(readFileSync(join(folder, file), 'utf8')),
  );
  assert.ok(commands.filter(({ text }) => text.includes('kubectl')).length >= 150);
});
