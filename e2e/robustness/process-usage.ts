import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** What a process holds. */
export interface Usage {
  /** Open files and sockets. */
  readonly handles: number;
  readonly residentMb: number;
}

/** Undefined where there is no /proc. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kb = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
    return {
      handles: readdirSync(`/proc/${pid}/fd`).length,
      residentMb: Math.round(Number(kb) / 1024),
    };
  } catch {
    return undefined;
  }
}

/** Waits until the handles are back near what they were; throws when they stay. */
export async function handlesBack(pid: number, before: Usage, within = 20_000): Promise<void> {
  const SLACK = 12;
  const deadline = performance.now() + within;
  for (;;) {
    const now = usageOf(pid);
    if (now === undefined || now.handles <= before.handles + SLACK) return;
    if (performance.now() > deadline) {
      throw new Error(`${now.handles} handles are open; there were ${before.handles}`);
    }
    await delay(20);
  }
}
