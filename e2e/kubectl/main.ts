// node tools/with-install.mjs e2e/kubectl/main.ts --kubectl PATH --wanted KUBECONFIG --got KUBECONFIG
// [SCRIPT…]: the comparison of kubectl.rtest.ts on two servers that run already; --show prints what
// the first one makes kubectl say, --scripts FOLDER takes other scripts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Difference,
  formatJudgement,
  judge,
  parseKnownDifferences,
  readKubeconfig,
} from '../../conformance/index.ts';
import { compareScript, type Side } from './compare-script.ts';
import { prepareFolder } from './prepare-folder.ts';
import { runCommand } from './run-command.ts';
import { parseScript } from './script.ts';

const FOLDER = join(FLOTILLA_ROOT, 'e2e', 'kubectl');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    wanted: { type: 'string', default: '' },
    got: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
    scripts: { type: 'string', default: join(FOLDER, 'scripts') },
  },
});

for (const name of ['wanted', 'got'] as const) {
  if (values[name] === '') throw new Error(`Cannot compare: --${name} names no kubeconfig`);
}

function side(folder: string, kubeconfig: string): Side {
  prepareFolder(folder);
  const { host } = new URL(readKubeconfig(kubeconfig).url);
  return { shell: { kubectl: values.kubectl, kubeconfig, folder }, server: host };
}

const work = mkdtempSync(join(tmpdir(), 'flotilla-kubectl-'));
const sides = {
  wanted: side(join(work, 'wanted'), values.wanted),
  got: side(join(work, 'got'), values.got),
};
const differences: Difference[] = [];
let count = 0;
for (const file of readdirSync(values.scripts).sort()) {
  const id = basename(file, '.sh');
  if (positionals.length > 0 && !positionals.includes(id)) continue;
  const commands = parseScript(readFileSync(join(values.scripts, file), 'utf8'));
  count += commands.length;
  if (values.show) {
    for (const command of commands) {
      const output = await runCommand(command, sides.wanted.shell);
      console.log(`$ ${command.text}\n${output.stdout}${output.stderr}[${output.code}]`);
    }
    continue;
  }
  differences.push(...(await compareScript(id, commands, sides)));
}
rmSync(work, { recursive: true, force: true });
if (count === 0) throw new Error(`Cannot find a script called "${positionals.join(' ')}"`);
const known = parseKnownDifferences(readFileSync(join(FOLDER, 'differences.md'), 'utf8'));
const judgement = judge(differences, known);
console.log(formatJudgement({ ...judgement, stale: [] }, { wanted: 'wanted', got: 'got' }));
console.log(`\n${count} commands, ${judgement.unexplained.length} unexplained differences`);
process.exit(judgement.unexplained.length > 0 ? 1 : 0);
