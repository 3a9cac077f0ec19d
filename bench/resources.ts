import { readFileSync } from 'node:fs';

/** Processor time of this process so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** VmHWM: the most that was resident, mapped pages of Node itself included. */
export function peakMb(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** The environment for a process under test: reading the machine's own authorities costs memory that is nobody's. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _slow, NODE_OPTIONS: _changed, ...rest } = process.env;
  return rest;
}
