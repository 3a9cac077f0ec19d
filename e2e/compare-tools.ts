import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatJudgement, judge, parseKnownDifferences } from '../conformance/index.ts';
import { binaryPath } from '../tools/real-kubernetes/binaries.ts';
import { compareScript } from './kubectl/compare-script.ts';
import { parseScript } from './kubectl/script.ts';
import type { Side } from './sides.ts';

/** A script of a judge's folder, and the two sides it runs on, the reference first. */
export interface Comparison {
  /** Holds `scripts/`, `differences.md` and, for helm, `chart/`. */
  readonly folder: string;
  readonly script: string;
  /** Holds the `differences.md` to use instead. @default the same folder */
  readonly differences?: string;
  readonly sides: readonly Side[];
}

/** Runs a script on both sides; what kubectl and helm print differently, or nothing. */
export async function compareTools(comparison: Comparison): Promise<string> {
  const { folder, script, sides, differences = folder } = comparison;
  const from = join(FLOTILLA_ROOT, folder);
  const intended = join(FLOTILLA_ROOT, differences, 'differences.md');
  const work = mkdtempSync(join(tmpdir(), 'flotilla-tools-'));
  try {
    const [wanted, got] = sides.map((side, index) => {
      const place = join(work, `${index}`);
      const chart = join(from, 'chart');
      if (existsSync(chart)) cpSync(chart, join(place, 'chart'), { recursive: true });
      return { shell: shellOf(side, place), server: new URL(side.url).host };
    });
    if (wanted === undefined || got === undefined)
      throw new Error('Cannot compare: two sides needed');
    const commands = parseScript(readFileSync(join(from, 'scripts', `${script}.sh`), 'utf8'));
    const known = parseKnownDifferences(readFileSync(intended, 'utf8'));

    const judgement = judge(await compareScript(script, commands, { wanted, got }), known);

    const isGood = judgement.unexplained.length + judgement.stale.length === 0;
    return isGood ? '' : formatJudgement(judgement, { wanted: 'real', got: 'ours' });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function shellOf(side: Side, folder: string) {
  mkdirSync(folder, { recursive: true });
  const [kubectl, helm] = [binaryPath('kubectl'), binaryPath('helm')];
  return { kubectl, helm, kubeconfig: side.kubeconfig, folder };
}
