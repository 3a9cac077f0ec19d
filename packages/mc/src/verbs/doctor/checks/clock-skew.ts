import type { Clock } from '@flotilla/machinery';
import { formatDuration } from '@flotilla/machinery';

/** Beyond this, tokens and certificates may count as expired, or as not valid yet. */
const NOTABLE_MS = 30_000;

/** What to do about it. */
export const SET_CLOCKS =
  'have this machine and the server set their clocks by NTP: tokens and certificates are judged by them';

/** By how much a server's clock is ahead of ours; undefined when it does not say what time it has. */
export function skewOf(
  headers: Readonly<Record<string, string>>,
  { sentAt, receivedAt }: { readonly sentAt: number; readonly receivedAt: number },
): number | undefined {
  const said = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(said)) return undefined;
  // It tells whole seconds, and nobody knows when between the two it looked.
  const earliest = said - receivedAt;
  const latest = said + 1_000 - sentAt;
  if (earliest <= 0 && latest >= 0) return 0;
  return earliest > 0 ? earliest : latest;
}

/** What to say of it; undefined when it does not matter. */
export function skewText(skewMs: number | undefined): string | undefined {
  if (skewMs === undefined || Math.abs(skewMs) < NOTABLE_MS) return undefined;
  const size = formatDuration(BigInt(Math.round(Math.abs(skewMs) / 1_000)) * 1_000_000_000n);
  return `its clock is ${size} ${skewMs > 0 ? 'ahead of' : 'behind'} yours`;
}

/** Asks something and tells when. */
export async function timed<T>(
  clock: Clock,
  ask: () => Promise<T>,
): Promise<{ readonly answer: T; readonly sentAt: number; readonly receivedAt: number }> {
  const sentAt = clock.now();
  const answer = await ask();
  return { answer, sentAt, receivedAt: clock.now() };
}
