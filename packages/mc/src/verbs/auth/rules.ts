import { isJsonObject, type Json } from '@flotilla/machinery';

/** What may be done with one resource, or with one path. */
export interface Rule {
  /** Empty for a path. */
  readonly resource: string;
  readonly group: string;
  /** At most one. */
  readonly names: readonly string[];
  /** At most one. */
  readonly urls: readonly string[];
  readonly verbs: readonly string[];
}

/** As many rules are no list for people, and some servers are not to be trusted. */
const MAX_RULES = 100_000;

/** Takes a SelfSubjectRulesReview apart into rules of one resource, one verb and one name each. */
export function readRules(review: unknown): {
  readonly rules: readonly Rule[];
  /** Why there may be more; undefined when these are all. */
  readonly incomplete: string | undefined;
} {
  const status = isJsonObject(review) ? review['status'] : undefined;
  if (!isJsonObject(status)) throw new TypeError('the review has no status');
  const rules: Rule[] = [];
  const add = (rule: Rule): void => {
    if (rules.length >= MAX_RULES) {
      throw new Error(`Cannot list what is allowed: there are more than ${MAX_RULES} rules`);
    }
    rules.push(rule);
  };
  for (const rule of objects(status['resourceRules'])) {
    const names = texts(rule['resourceNames']);
    for (const group of texts(rule['apiGroups'])) {
      for (const resource of texts(rule['resources'])) {
        for (const verb of texts(rule['verbs'])) {
          const common = { resource, group, urls: [], verbs: [verb] };
          if (names.length === 0) add({ ...common, names });
          for (const name of names) add({ ...common, names: [name] });
        }
      }
    }
  }
  for (const rule of objects(status['nonResourceRules'])) {
    for (const url of texts(rule['nonResourceURLs'])) {
      for (const verb of texts(rule['verbs'])) {
        add({ resource: '', group: '', names: [], urls: [url], verbs: [verb] });
      }
    }
  }
  const { incomplete, evaluationError } = status;
  const why = typeof evaluationError === 'string' ? evaluationError : '';
  return { rules, incomplete: incomplete === true ? why : undefined };
}

/** Joins the verbs of one resource, and puts rules into kubectl's order. Paths stay apart, as they do there. */
export function compactRules(rules: readonly Rule[]): Rule[] {
  const paths: Rule[] = [];
  const resources = new Map<string, Rule & { verbs: string[] }>();
  for (const rule of rules) {
    if (rule.urls.length > 0) {
      paths.push(rule);
      continue;
    }
    const key = [rule.group, rule.resource, rule.names.length, ...rule.names].join('\n');
    const known = resources.get(key);
    if (known === undefined) {
      resources.set(key, { ...rule, verbs: [...rule.verbs] });
      continue;
    }
    for (const verb of rule.verbs) if (!known.verbs.includes(verb)) known.verbs.push(verb);
  }
  const keyed = [...paths, ...resources.values()].map((rule) => ({ rule, key: sortKey(rule) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ rule }) => rule);
}

/** How Go prints a rule, by which kubectl sorts. */
function sortKey({ resource, group, names, urls, verbs }: Rule): string {
  const isPath = urls.length > 0;
  const fields = [verbs, isPath ? [] : [group], isPath ? [] : [resource], names, urls];
  const [verb, groups, resources, resourceNames, paths] = fields.map(
    (each) => `[${(each ?? []).join(' ')}]`,
  );
  return `Verbs:${verb},APIGroups:${groups},Resources:${resources},ResourceNames:${resourceNames},NonResourceURLs:${paths},`;
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : [];
}
