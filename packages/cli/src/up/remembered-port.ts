import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The port a server had the last time it ran from a folder; 0, any, when it never did. */
export function rememberedPort(folder: string): number {
  try {
    const port = Number(readFileSync(join(folder, 'port'), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}

/** Notes the port of a server, so that what leads to it still does after a restart. */
export function rememberPort(folder: string, port: number): void {
  if (rememberedPort(folder) === port) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // In one step: half a number is another port.
  const draft = join(folder, `port.${process.pid}.new`);
  writeFileSync(draft, `${port}\n`, { mode: 0o600 });
  renameSync(draft, join(folder, 'port'));
}

/** Whether a server could not start because somebody else has its port. */
export function isPortTaken(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}
