import { UsageError } from '../usage-error.ts';

/** Reads `k=v,k=v`, each part with exactly one equals sign. */
export function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [key = '', value, ...rest] = part.split('=');
    if (key.trim() === '' || value === undefined || rest.length > 0) {
      throw new UsageError(
        `Cannot read label "${part}": write key=value, with commas between several`,
      );
    }
    labels[key.trim()] = value.trim();
  }
  return labels;
}
