// The expectations that our template engines are tested with are those of the real kubectl, which needs no server here.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as goTemplate from '../../packages/machinery/src/go-template/testing/samples.ts';
import * as jsonPath from '../../packages/machinery/src/jsonpath/testing/samples.ts';
import { SAMPLE_OBJECT } from '../../packages/machinery/src/testing/sample-object.ts';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { type Tool, tool } from '../gateway/kubectl.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-templates-'));
const file = join(folder, 'sample.json');
writeFileSync(file, SAMPLE_OBJECT);
const kubectl: Tool = tool(binaryPath('kubectl'), {
  url: 'https://127.0.0.1:1',
  ca: '',
  token: '',
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await kubectl[Symbol.asyncDispose]();
});

/** Starting a process is most of the time it takes. */
const AT_ONCE = 4;

type Samples = readonly (readonly [template: string, expected: string])[];

/** How kubectl says what went wrong while a template ran, around the words of the engine. */
const EXECUTION = {
  jsonpath: /Error executing template: ([\s\S]*?)\. Printing more information/,
  'go-template': /^error: error executing template "(?:[^"\\]|\\.)*": ([\s\S]*)\n$/,
};

async function print(format: string, template: string, flags: readonly string[] = []) {
  // The annotation is the object's own, so nothing is changed by it.
  const args = ['annotate', '--local', '--overwrite', '-f', file, 'k=v'];
  return await kubectl.run([...args, ...flags, '-o', `${format}=${template}`]);
}

async function forAll(samples: Samples, check: (sample: Samples[0]) => Promise<void>) {
  const left = [...samples];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await check(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function checkPrinted(format: string, samples: Samples) {
  await forAll(samples, async ([template, printed]) => {
    assert.deepEqual(
      await print(format, template),
      { code: 0, stdout: printed, stderr: '' },
      template,
    );
  });
}

async function checkUnreadable(format: 'jsonpath' | 'go-template', samples: Samples) {
  const kind = format === 'jsonpath' ? 'jsonpath' : 'template';
  await forAll(samples, async ([template, message]) => {
    const { stderr } = await print(format, template);
    assert.equal(stderr, `error: error parsing ${kind} ${template}, ${message}\n`);
  });
}

async function checkFailing(
  format: 'jsonpath' | 'go-template',
  samples: Samples,
  flags: readonly string[] = [],
) {
  await forAll(samples, async ([template, message]) => {
    const { stderr } = await print(format, template, flags);
    assert.equal(EXECUTION[format].exec(stderr)?.[1], message, template);
  });
}

const STRICT = ['--allow-missing-template-keys=false'];

test('JSONPath templates', { timeout: 300_000 }, async () => {
  await checkPrinted('jsonpath', jsonPath.PRINTED);
  await checkPrinted('jsonpath-as-json', jsonPath.PRINTED_AS_JSON);
  await checkUnreadable('jsonpath', jsonPath.UNREADABLE);
  await checkFailing('jsonpath', jsonPath.FAILING);
  await checkFailing('jsonpath', jsonPath.FAILING_STRICTLY, STRICT);
});

test('Go templates', { timeout: 300_000 }, async () => {
  await checkPrinted('go-template', goTemplate.PRINTED);
  await checkUnreadable('go-template', goTemplate.UNREADABLE);
  await checkFailing('go-template', goTemplate.FAILING);
  await checkFailing('go-template', goTemplate.FAILING_STRICTLY, STRICT);
});
