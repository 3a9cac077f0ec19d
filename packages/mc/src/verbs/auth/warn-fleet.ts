import type { Outcome } from '../../fan-out/outcome.ts';
import type { Session } from '../../session.ts';

/**
 * Warns in kubectl's words, once, of what holds on all clusters that answered; of the rest with their names. Behind it
 * comes `end`.
 */
export function warnFleet(
  outcomes: readonly Outcome<{ readonly warnings: readonly string[] }>[],
  { warn }: Pick<Session, 'warn'>,
  end = '',
): void {
  const answered = outcomes.filter(({ value }) => value !== undefined);
  const texts = new Set(answered.flatMap(({ value }) => [...(value?.warnings ?? [])]));
  for (const text of texts) {
    const where = answered.filter(({ value }) => value?.warnings.includes(text) === true);
    const names = where.map(({ cluster }) => cluster.name).join(', ');
    warn(`${text}${where.length === answered.length ? '' : ` (in ${names})`}${end}`);
  }
}
