import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseScenarios, reportScenarios, strayTitles } from './scenario-report.ts';
import type { TestResult } from './test-results.ts';

const documents = [{ prefix: 'CP', numbers: ['CP-1', 'CP-2', 'CP-3'] }];

describe('reportScenarios', () => {
  test('counts a scenario when a test that passed begins with its number', () => {
    const [report] = reportScenarios(documents, [passed('CP-2 holds'), passed('not CP-3')]);

    assert.deepEqual(report?.proved, ['CP-2']);
    assert.deepEqual(report?.missing, ['CP-1', 'CP-3']);
  });

  test('does not take a number for another that it begins', () => {
    const [report] = reportScenarios(documents, [passed('CP-12 holds'), passed('CP-3rd way')]);

    assert.deepEqual(report?.proved, []);
  });

  test('un-proves a scenario by one failing test, in whichever order they ran', () => {
    for (const results of [
      [passed('CP-1 here'), failed('CP-1 there')],
      [failed('CP-1 there'), passed('CP-1 here')],
    ]) {
      const [report] = reportScenarios(documents, results);

      assert.deepEqual(report?.proved, []);
      assert.deepEqual(report?.failing, ['CP-1']);
      assert.deepEqual(report?.missing, ['CP-2', 'CP-3']);
    }
  });

  test('lets one test prove two', () => {
    const [report] = reportScenarios(documents, [passed('CP-1, CP-2: hold together')]);

    assert.deepEqual(report?.proved, ['CP-1', 'CP-2']);
  });
});

describe('strayTitles', () => {
  test('finds numbers no document has', () => {
    assert.deepEqual(strayTitles(documents, [passed('CP-4 holds'), passed('CP-3 holds')]), [
      'CP-4 holds',
    ]);
  });

  test('leaves titles alone that only look alike', () => {
    assert.deepEqual(strayTitles(documents, [passed('UTF-8 is kept'), passed('SHA-256')]), []);
  });
});

describe('parseScenarios', () => {
  test('reads one scenario a line, whatever stands around them', () => {
    const text = '# CP: planes\n\nAbout.\n\n## Life\n- CP-1 begins\n\n## Death\n- CP-2 ends\n';

    assert.deepEqual(parseScenarios('CP', text), { prefix: 'CP', numbers: ['CP-1', 'CP-2'] });
  });

  for (const [what, line] of [
    ['a gap', '- CP-3 holds'],
    ['a repeated number', '- CP-1 holds'],
    ['a number of another document', '- MC-2 holds'],
    ['a number that says nothing', '- CP-2'],
    ['a line without a number', '- holds'],
  ] as const) {
    test(`refuses ${what}`, () => {
      assert.throws(() => parseScenarios('CP', `- CP-1 holds\n${line}\n`), {
        message: `Cannot read "${line}" of CP.md: the next scenario is CP-2`,
      });
    });
  }

  test('finds every scenario of the five documents', () => {
    const counts = ['REG', 'MC', 'CP', 'SPK', 'RGN'].map((prefix) => {
      const file = join(FLOTILLA_ROOT, 'docs', 'scenarios', `${prefix}.md`);
      return [prefix, parseScenarios(prefix, readFileSync(file, 'utf8')).numbers.length];
    });

    assert.deepEqual(Object.fromEntries(counts), { REG: 78, MC: 82, CP: 72, SPK: 90, RGN: 67 });
  });
});

function passed(title: string): TestResult {
  return { file: 'a.test.ts', title, passed: true };
}

function failed(title: string): TestResult {
  return { file: 'a.test.ts', title, passed: false };
}
