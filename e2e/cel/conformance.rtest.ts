// The conformance cases of the CEL specification, in the version that cel-go requires.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { moduleFolder } from '../../tools/real-kubernetes/go.ts';
import { readCases, Unsupported } from './cases.ts';
import { exceptionFor, FILES_LEFT_OUT, unusedExceptions } from './exceptions.ts';
import { problemOf } from './run-case.ts';

const folder = join(moduleFolder('cel.dev/expr'), 'tests', 'simple', 'testdata');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.textproto'))
  .map((name) => name.replace('.textproto', ''));

describe('CEL conformance', () => {
  const used = new Set<string>();

  for (const file of files) {
    if (FILES_LEFT_OUT.has(file)) continue;
    test(`${file}: what Kubernetes covers passes, and nothing else is expected to`, () => {
      const surprises: string[] = [];
      for (const each of readCases(file, readFileSync(join(folder, `${file}.textproto`), 'utf8'))) {
        const name = each instanceof Unsupported ? each.message : each.name;
        const exception = exceptionFor(name);
        if (exception) used.add(exception);
        const problem = each instanceof Unsupported ? 'needs protobuf messages' : problemOf(each);
        if (problem !== undefined && !exception) surprises.push(`${name} ${problem}`);
        if (problem === undefined && exception) surprises.push(`${name} passes, but is listed`);
      }
      assert.deepEqual(surprises, []);
    });
  }

  test('every listed exception and every file left out exists', () => {
    assert.deepEqual(unusedExceptions(used), []);
    assert.deepEqual(
      [...FILES_LEFT_OUT.keys()].filter((file) => !files.includes(file)),
      [],
    );
  });
});
