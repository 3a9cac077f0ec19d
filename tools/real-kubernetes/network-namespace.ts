import { spawn, spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { join, relative } from 'node:path';

const MARK = 'FLOTILLA_NETWORK_NAMESPACE';

// iproute2 may be missing on a small Debian; perl-base never is. The request is SIOCSIFFLAGS
// (0x8914) with IFF_UP.
const LOOPBACK_UP = [
  'ip link set lo up 2>/dev/null',
  `perl -e '$r = pack("a16sx22", "lo", 1); socket(S, 2, 2, 0) && ioctl(S, 0x8914, $r) or exit 1'`,
].join(' || ');

/**
 * Goes on only inside a network namespace that has loopback and nothing else: outside, it runs this
 * same program once more inside a new one and exits with that one's status.
 *
 * Service and pod addresses are real destinations to real servers, and nothing of a test may leave
 * the machine. Download and build before calling this.
 */
export async function insideNetworkNamespace(): Promise<void> {
  if (process.env[MARK] !== undefined) {
    refuseOtherInterfaces();
    return;
  }
  const program = [process.execPath, ...process.execArgv, ...programArguments()];
  const script = `{ ${LOOPBACK_UP}; } && exec "$@"`;
  const child = spawn('unshare', [...namespaceFlags(), 'sh', '-c', script, 'sh', ...program], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
  process.exit(status);
}

/** Root makes a network namespace directly; anyone else inside a user namespace. */
function namespaceFlags(): string[] {
  const candidates = process.getuid?.() === 0 ? [['-n'], ['-rn']] : [['-rn']];
  const flags = candidates.find((flag) => spawnSync('unshare', [...flag, 'true']).status === 0);
  if (flags === undefined) {
    throw new Error(
      'Cannot make a network namespace with "unshare -n": it is missing or not permitted here; ' +
        'run as root, or allow unprivileged user namespaces',
    );
  }
  return flags;
}

/** A TypeScript tool is started through the launcher that bundled it. */
function programArguments(): string[] {
  const [, script = '', ...args] = process.argv;
  if (!script.endsWith('.ts')) return [script, ...args];
  const launcher = join(FLOTILLA_ROOT, 'tools', 'with-install.mjs');
  return [launcher, relative(FLOTILLA_ROOT, script), ...args];
}

function refuseOtherInterfaces(): void {
  const names = Object.keys(networkInterfaces());
  if (names.join() !== 'lo') {
    throw new Error(`Cannot go on: this network namespace has "${names.join(', ')}", wanted "lo"`);
  }
}
