import { UsageError } from '../../../usage-error.ts';
import type { CloudValues } from './read-metadata.ts';

/** Everything that a template may ask for. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['name', 'region', 'location', 'project', 'resourceGroup', 'subscription', 'clusterId'],
  ...['profile', 'roleArn', 'context', 'kubeconfig'],
]);

/**
 * The words of a command, with values in place of `{placeholders}`. A word whose value is not known is left out. `key` is
 * what the user would have to correct when a placeholder is none.
 */
export function fillTemplate(
  template: readonly string[],
  values: CloudValues,
  key: string,
): readonly string[] {
  return template.flatMap((word) => {
    let isKnown = true;
    const filled = word.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => {
      if (!PLACEHOLDERS.has(name)) {
        throw new UsageError(
          `Cannot use ${key}: {${name}} is none of ${[...PLACEHOLDERS].map((each) => `{${each}}`).join(' ')}`,
        );
      }
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) isKnown = false;
      return value ?? '';
    });
    return isKnown ? [filled] : [];
  });
}
