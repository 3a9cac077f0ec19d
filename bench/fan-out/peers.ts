import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that asks every cluster, and how it is called. */
export interface Peer {
  readonly name: string;
  readonly command: readonly string[];
}

/** How the other programs are told what to do; each is given fifty at a time. */
interface Known {
  readonly file: string;
  readonly name: string;
  /** What the help of this one says where others have the same name. */
  readonly says?: RegExp;
  readonly args: readonly string[];
}

const KNOWN: readonly Known[] = [
  {
    file: 'kubectl-foreach',
    name: 'kubectl-foreach',
    args: ['-q', '^hub', '--', 'get', 'pods', '-A'],
  },
  {
    file: 'kubectl-mc',
    name: 'kubectl-mc of jonnylangefeld',
    says: /--max-processes/,
    args: ['-p', '50', '-x', '^hub$', '--', 'get', 'pods', '-A'],
  },
  {
    file: 'kubectl-mc',
    name: 'kubectl-mc of suchpuppet',
    says: /--hub-namespace .*\(default "open-cluster-management"\)/,
    args: ['get', 'pods', '-A', '--hub-context', 'hub'],
  },
  {
    file: 'kubectl-multi_context',
    name: 'kubectl-multi_context',
    args: ['--batch-size', '50', '--filter', '^c', 'get', 'pods', '-A'],
  },
];

/** `xargs` with the real kubectl, which is there everywhere. */
export function xargsPeer(atOnce: number, kubectl: string, names: readonly string[]): Peer {
  const words = names.join('\\n');
  const run = `printf '${words}\\n' | xargs -P${atOnce} -I{} '${kubectl}' --context {} get pods -A`;
  return { name: `xargs -P${atOnce} kubectl`, command: ['sh', '-c', run] };
}

/** The known programs that are on the PATH, and those that are not. */
export function findPeers(path: string): { found: Peer[]; absent: string[] } {
  const found: Peer[] = [];
  for (const { file, name, says, args } of KNOWN) {
    const program = executables(file, path).find(
      (each) => says === undefined || says.test(helpOf(each, path)),
    );
    if (program !== undefined) found.push({ name, command: [program, ...args] });
  }
  const names = new Set(found.map((peer) => peer.name));
  return { found, absent: KNOWN.flatMap(({ name }) => (names.has(name) ? [] : [name])) };
}

/** Everyone of that name: two plugins may have the same, and ours is one of them. */
function executables(file: string, path: string): string[] {
  const all = path.split(delimiter).flatMap((folder) => {
    try {
      const program = join(folder, file);
      accessSync(program, constants.X_OK);
      return realpathSync(program).startsWith(FLOTILLA_ROOT) ? [] : [program];
    } catch {
      return [];
    }
  });
  return [...new Set(all)];
}

function helpOf(program: string, path: string): string {
  const { stdout, stderr } = spawnSync(program, ['get', '--help'], {
    encoding: 'utf8',
    timeout: 10_000,
    env: { PATH: path, HOME: '/nonexistent' },
  });
  return `${stdout}${stderr}`;
}
