import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runMc } from '../../testing/run-mc.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubectl-mc-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const calls = join(folder, 'calls');

/** A kubectl-mc that records its words and answers with these lines. */
function answerWith(...lines: string[]): void {
  const file = join(folder, 'kubectl-mc');
  writeFileSync(join(folder, 'answer'), `${lines.join('\n')}\n`);
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '[%s]' "$@" > '${calls}'\ncat '${join(folder, 'answer')}'\n`,
  );
  chmodSync(file, 0o755);
}

/** What bash makes of a line with the cursor at its end: words as readline cuts them, then the answers. */
async function completeInBash(
  line: string,
): Promise<{ replies: string[]; options: string; words: string }> {
  const { stdout: script } = await runMc(['completion', 'bash']);
  const words: string[] = line.match(/[=:]+|[^\s=:]+/g) ?? [];
  if (/\s$/.test(line) || /[=:]$/.test(line)) words.push('');
  const test = `
${script}
options=''
compopt() { options+="$* "; }
COMP_LINE=$1 COMP_POINT=\${#1}
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
COMP_WORDBREAKS=$' \\t\\n"=:'
__kubectl_mc_complete
printf '%s\\n' "\${COMPREPLY[@]}"
echo "-- $options"
`;
  const output = execFileSync('bash', ['--norc', '-c', test, 'bash', line, ...words], {
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  const lines = output.trimEnd().split('\n');
  const options = (lines.pop() ?? '').replace(/^-- ?/, '').trim();
  return {
    replies: lines.filter((each) => each !== ''),
    options,
    words: readFileSync(calls, 'utf8'),
  };
}

test('bash hands on the words and offers what fits, without descriptions', async () => {
  answerWith('pods\tPod', 'podtemplates', 'services', ':4');
  assert.deepEqual(await completeInBash('kubectl-mc get po'), {
    replies: ['pods', 'podtemplates'],
    options: '',
    words: '[__complete][--][get][po]',
  });
  assert.equal((await completeInBash('kubectl-mc get  ')).words, '[__complete][--][get][]');
});

test('bash completes values behind = and words with colons as one', async () => {
  answerWith('prod-1\tv1', 'prod-2', ':4');
  assert.deepEqual(await completeInBash('kubectl-mc get --clusters=pr'), {
    replies: ['prod-1', 'prod-2'],
    options: '',
    words: '[__complete][--][get][--clusters=pr]',
  });
  assert.equal(
    (await completeInBash('kubectl-mc get --clusters=')).words,
    '[__complete][--][get][--clusters=]',
  );
  answerWith('env=prod', 'env=test', ':4');
  const selector = await completeInBash('kubectl-mc get --cluster-selector env=pr');
  assert.deepEqual(selector.replies, ['prod']);
  assert.equal(selector.words, '[__complete][--][get][--cluster-selector][env=pr]');
  answerWith('c1:pod/web', ':4');
  const { replies, words } = await completeInBash('kubectl-mc get c1:pod/w');
  assert.deepEqual([replies, words], [['pod/web'], '[__complete][--][get][c1:pod/w]']);
});

test('bash is told of files, folders and words that go on', async () => {
  answerWith(':0');
  assert.equal((await completeInBash('kubectl-mc get -f ')).options, '-o default');
  answerWith(':16');
  assert.equal((await completeInBash('kubectl-mc get -k ')).options, '-o dirnames');
  answerWith('pods/', ':6');
  assert.deepEqual((await completeInBash('kubectl-mc get c1:')).options, '-o nospace');
  answerWith(':4');
  assert.equal((await completeInBash('kubectl-mc x ')).options, '');
});

test('there are scripts for three shells, and an error for others', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await runMc(['completion', shell]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /kubectl-mc __complete -- /);
    assert.doesNotMatch(stdout, /@\{/);
  }
  const { code, stderr } = await runMc(['completion', 'tcsh']);
  assert.equal(code, 1);
  assert.match(stderr, /Cannot print completion for "tcsh": it is there for bash, zsh, fish/);
});
