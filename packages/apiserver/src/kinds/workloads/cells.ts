import { humanDuration } from '@flotilla/machinery';
import type { List } from './api-values.ts';
import type { Container } from './container-types.ts';

/** How long ago a time was, as kubectl's AGE column says it. */
export function age(time: string | null | undefined, now: Date): string {
  return time == null ? '<unknown>' : humanDuration(now.getTime() - Date.parse(time));
}

/** The names and the images of containers, as the wide columns list them. */
export function containerCells(containers: List<Container>): [names: string, images: string] {
  const all = containers ?? [];
  return [
    all.map((container) => container.name).join(','),
    all.map((container) => container.image ?? '').join(','),
  ];
}
