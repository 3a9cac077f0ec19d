// The long forms of the robustness tests: `npm run soak -- [PART…] [--scale N] [--seed N]`. Each part
// prints its figures and how long it took; `--scale 0.1` is a tenth of every count. Fails when any
// part does, after all have run.
import { spawn } from 'node:child_process';
import { figuresIn, partEnvironment, type SoakPart, soakOptions } from './soak/parts.ts';

const options = soakOptions(process.argv.slice(2));
console.log(`Soak: ${options.parts.map(({ name }) => name).join(', ')}; scale ${options.scale}`);

const failed: string[] = [];
for (const part of options.parts) {
  const begun = performance.now();
  const { code, output } = await runPart(part);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const figures = figuresIn(output, part);
  const isGood = code === 0 && figures.length > 0;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${part.name} (${seconds} s)`);
  for (const figure of figures) console.log(`       ${figure}`);
  if (isGood) continue;
  failed.push(part.name);
  console.log(output);
}
if (failed.length > 0) {
  console.error(`Soak failed: ${failed.join(', ')}`);
  process.exitCode = 1;
} else {
  console.log('Soak passed');
}

function runPart(part: SoakPart): Promise<{ code: number | null; output: string }> {
  const tool = part.isReal === true ? 'tools/real.ts' : 'tools/test.ts';
  const args = ['tools/with-install.mjs', tool, part.file];
  const child = spawn(process.execPath, args, {
    cwd: FLOTILLA_ROOT,
    env: { ...process.env, ...partEnvironment(part, options) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}
