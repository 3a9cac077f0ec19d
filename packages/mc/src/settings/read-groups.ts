import { isJsonObject } from '@flotilla/machinery';
import { type ConfigProblem, unknownKey, wrong } from './config-problem.ts';
import { type ConfigValue, text, texts } from './config-value.ts';
import { everything, type Groups } from './groups.ts';
import type { Selection } from './settings.ts';

const fields = {
  clusters: texts,
  exclude: texts,
  clusterSelector: text,
  properties: texts,
  clusterset: text,
  manager: text,
  placement: text,
} as const satisfies Partial<Record<keyof Selection, ConfigValue<unknown>>>;

/** Reads `groups`: each a list of cluster patterns, or a mapping with the fields of a selection. */
export function readGroups(
  content: unknown,
  problems: ConfigProblem[],
  unknown: ConfigProblem[],
): Groups {
  const groups = new Map<string, Selection>();
  if (content === null) return groups;
  if (!isJsonObject(content)) {
    problems.push(wrong(['groups'], content, 'a mapping of names to selections'));
    return groups;
  }
  for (const [name, value] of Object.entries(content)) {
    if (Array.isArray(value)) {
      const clusters = texts.read(value);
      if (clusters === undefined) problems.push(wrong(['groups', name], value, texts.allowed));
      else groups.set(name, { ...everything, clusters });
      continue;
    }
    if (!isJsonObject(value)) {
      problems.push(wrong(['groups', name], value, 'a list of clusters or a selection'));
      continue;
    }
    const selection: Record<string, unknown> = {};
    for (const [field, said] of Object.entries(value)) {
      if (!Object.hasOwn(fields, field)) {
        unknown.push(unknownKey(['groups', name, field], []));
        continue;
      }
      const { read, allowed } = fields[field as keyof typeof fields];
      const meant = read(said);
      if (meant === undefined) problems.push(wrong(['groups', name, field], said, allowed));
      else selection[field] = meant;
    }
    groups.set(name, { ...everything, ...selection });
  }
  return groups;
}
