// A case made of chance: a few objects of one or two kinds, written to by several managers in every
// way there is. The same seed always makes the same case.
import { type Seeded, seeded } from '../../packages/machinery/src/testing/seeded.ts';
import type { Case, Step } from '../case.ts';
import { type Body, type GeneratedKind, KINDS } from './kinds.ts';
import { mutate } from './mutate.ts';

const NAMES = ['a', 'b', 'c'];
const MANAGERS = ['first', 'second', 'third'];
const FEWEST = 5;
const MOST_MORE = 9;

/** The case of a seed. */
export function generateCase(seed: number): Case {
  const random = seeded(seed);
  const kinds = [random.pick(KINDS), random.pick(KINDS)];
  const length = FEWEST + random.below(MOST_MORE);
  const steps: Step[] = [create(random, kinds[0] ?? random.pick(KINDS))];
  while (steps.length < length) {
    steps.push(...random.pick(STEPS)(random, random.pick(kinds)));
  }
  return { id: `g${seed}`, topic: 'generated', title: `generated from seed ${seed}`, steps };
}

type Maker = (random: Seeded, kind: GeneratedKind) => Step[];

/** The steps there are; one that is written twice is twice as likely. */
const STEPS: readonly Maker[] = [
  (random, kind) => [create(random, kind)],
  (random, kind) => [create(random, kind)],
  (random, kind) => [replace(random, kind)],
  (random, kind) => [applied(random, kind)],
  (random, kind) => [applied(random, kind)],
  (random, kind) => [applied(random, kind)],
  (random, kind) => [merged(random, kind)],
  (random, kind) => [merged(random, kind)],
  (random, kind) => [jsonPatched(random, kind)],
  (random, kind) => [read(random, kind)],
  (random, kind) => [listed(random, kind)],
  (random, kind) => [removed(random, kind)],
  stale,
  together,
  watched,
];

function collection({ apiVersion, resource }: GeneratedKind): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${apiVersion}/namespaces/{ns}/${resource}`;
}

/** One of the objects, sometimes by a subresource. */
function target(random: Seeded, kind: GeneratedKind): string {
  const subresources = kind.subresources ?? [];
  const isMain = subresources.length === 0 || random.below(5) > 0;
  return `${collection(kind)}/${random.pick(NAMES)}${isMain ? '' : `/${random.pick(subresources)}`}`;
}

function whole(random: Seeded, kind: GeneratedKind, metadata: Body): Body {
  const { apiVersion } = kind;
  const object = {
    apiVersion,
    kind: kind.kind,
    metadata: { ...metadata, ...labels(random) },
    ...kind.make(random),
  };
  return random.below(8) === 0 ? mutate(object, random).object : object;
}

function labels(random: Seeded): Body {
  const chosen = random.some(2, () => [
    random.pick(['app', 'tier', 'example.com/x']),
    random.pick(['x', 'y', '', 'not ok']),
  ]);
  const finalizers = random.below(12) === 0 ? { finalizers: ['example.com/held'] } : {};
  return { ...(chosen.length > 0 ? { labels: Object.fromEntries(chosen) } : {}), ...finalizers };
}

function query(random: Seeded, own: readonly string[] = []): string {
  const options = [
    ...own,
    ...(random.below(8) === 0 ? ['dryRun=All'] : []),
    ...(random.below(4) === 0
      ? [`fieldValidation=${random.pick(['Strict', 'Warn', 'Ignore'])}`]
      : []),
  ];
  return options.length === 0 ? '' : `?${options.join('&')}`;
}

function manager(random: Seeded): string {
  return `fieldManager=${random.pick(MANAGERS)}`;
}

function create(random: Seeded, kind: GeneratedKind): Step {
  const body = whole(random, kind, { name: random.pick(NAMES) });
  return { verb: 'POST', path: collection(kind) + query(random, [manager(random)]), body };
}

function replace(random: Seeded, kind: GeneratedKind): Step {
  const name = random.pick(NAMES);
  const path = `${collection(kind)}/${name}${query(random, [manager(random)])}`;
  return { verb: 'PUT', path, body: whole(random, kind, { name }) };
}

function applied(random: Seeded, kind: GeneratedKind): Step {
  const name = random.pick(NAMES);
  const isStatus = (kind.subresources ?? []).includes('status') && random.below(8) === 0;
  const force = random.below(2) === 0 ? ['force=true'] : [];
  const options = query(random, [manager(random), ...force]);
  const path = `${collection(kind)}/${name}${isStatus ? '/status' : ''}${options}`;
  return {
    verb: 'PATCH',
    path,
    type: 'application/apply-patch+yaml',
    body: whole(random, kind, { name }),
  };
}

function merged(random: Seeded, kind: GeneratedKind): Step {
  const type = random.pick(['merge', 'strategic']);
  const { status, ...made } = kind.make(random);
  const path = target(random, kind);
  const body = path.endsWith('/status') && status !== undefined ? { status } : made;
  const patch = random.below(3) === 0 ? nulled(body, random) : body;
  return {
    verb: 'PATCH',
    path: path + query(random, [manager(random)]),
    type,
    body: random.below(3) === 0 ? { metadata: labels(random) } : patch,
  };
}

/** The body with one of its fields to be removed. */
function nulled(body: Body, random: Seeded): Body {
  const copy = structuredClone(body);
  let parent: Body = copy;
  for (;;) {
    const keys = Object.keys(parent);
    if (keys.length === 0) return copy;
    const key = random.pick(keys);
    const child = parent[key];
    const isDeep = typeof child === 'object' && child !== null && !Array.isArray(child);
    if (isDeep && random.below(3) > 0) {
      parent = child as Body;
      continue;
    }
    parent[key] = null;
    return copy;
  }
}

function jsonPatched(random: Seeded, kind: GeneratedKind): Step {
  const at = (path: string, value: unknown) => ({
    op: random.pick(['add', 'replace', 'test']),
    path,
    value,
  });
  const operations = [
    at('/metadata/labels', { app: 'y' }),
    at('/metadata/labels/app', 'z'),
    at('/metadata/annotations', { note: 'n' }),
    { op: 'remove', path: '/metadata/labels/app' },
    { op: 'remove', path: random.pick(['/spec/replicas', '/data/k', '/metadata/finalizers']) },
    at('/spec/replicas', random.pick<unknown>([2, '2'])),
    at('/data/k', 'v'),
    at('/spec/template/spec/containers/0/image', 'app:3'),
    at('/spec/tags/-', 'd'),
    { op: 'move', from: '/metadata/labels', path: '/metadata/annotations' },
    { op: 'copy', from: '/metadata/name', path: '/metadata/labels' },
  ];
  const chosen = Array.from({ length: 1 + random.below(2) }, () => random.pick(operations));
  const path = target(random, kind) + query(random, [manager(random)]);
  return { verb: 'PATCH', path, type: 'json-patch', body: chosen };
}

function read(random: Seeded, kind: GeneratedKind): Step {
  return {
    verb: 'GET',
    path: target(random, kind),
    ...form(random, ['table', 'metadata', 'yaml']),
  };
}

function form(random: Seeded, forms: readonly string[]): { accept?: string } {
  return random.below(3) === 0 ? { accept: random.pick(forms) } : {};
}

const SELECTORS = [
  'labelSelector=app%3Dx',
  'labelSelector=app',
  'labelSelector=%21app',
  'labelSelector=app+in+(x,y),tier!%3Dx',
  'labelSelector=app+notin+(x)',
  'labelSelector=app%3D%3D',
  'labelSelector=a+b',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=metadata.name!%3Da',
  'fieldSelector=spec.mode%3Dfast',
  'fieldSelector=status.phase%3DPending',
  'fieldSelector=type%3DOpaque',
  'fieldSelector=metadata.labels%3Dx',
  'limit=1',
  'limit=2&labelSelector=app',
];

function listed(random: Seeded, kind: GeneratedKind): Step {
  const path = `${collection(kind)}?${random.pick(SELECTORS)}`;
  return { verb: 'GET', path, ...form(random, ['table', 'metadata-list']) };
}

function removed(random: Seeded, kind: GeneratedKind): Step {
  // Jobs leave their pods behind unless told otherwise, and are gone when the collector has seen to it: chance.
  const policy = kind.resource === 'jobs' ? '&propagationPolicy=Background' : '';
  if (random.below(6) === 0) {
    const options = query(random).replace('?', '&');
    return { verb: 'DELETE', path: `${collection(kind)}?labelSelector=app${options}${policy}` };
  }
  const isNow = random.below(3) === 0;
  const path = `${collection(kind)}/${random.pick(NAMES)}${query(random)}`;
  if (!isNow) {
    const told = path.includes('?') ? policy : policy.replace('&', '?');
    return { verb: 'DELETE', path: `${path}${told}` };
  }
  // Options in a body are all the options there are.
  const inBody = policy === '' ? {} : { propagationPolicy: 'Background' };
  return { verb: 'DELETE', path, body: { gracePeriodSeconds: 0, ...inBody } };
}

/** Two writers that read the same version: the slower one conflicts. */
function stale(random: Seeded, kind: GeneratedKind): Step[] {
  const name = random.pick(NAMES);
  const path = `${collection(kind)}/${name}`;
  const version = { resourceVersion: '{rv}' };
  return [
    { verb: 'GET', path, save: { rv: 'metadata.resourceVersion' } },
    { ...merged(random, kind), path: `${path}?${manager(random)}` },
    random.below(2) === 0
      ? { verb: 'PUT', path, body: whole(random, kind, { name, ...version }) }
      : {
          verb: 'PATCH',
          path: `${path}?${manager(random)}`,
          type: random.pick(['merge', 'application/apply-patch+yaml']),
          body: whole(random, kind, { name, ...version }),
        },
    { verb: 'DELETE', path: `${path}?dryRun=All`, body: { preconditions: version } },
  ];
}

/** Writers at once, each with a field of its own: all win, in whatever order. */
function together(random: Seeded, kind: GeneratedKind): Step[] {
  const path = `${collection(kind)}/${random.pick(NAMES)}`;
  const type = random.pick(['merge', 'application/apply-patch+yaml']);
  const writers = MANAGERS.map(
    (name): Step => ({
      verb: 'PATCH',
      path: `${path}?fieldManager=${name}`,
      type,
      body: {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata: { annotations: { [`example.com/${name}`]: 'here' } },
      },
    }),
  );
  // Once before: which of several creates the object, or its annotations, is chance.
  const [first] = writers;
  return [
    ...(first === undefined ? [] : [first]),
    { verb: 'TOGETHER', path, during: writers },
    { verb: 'GET', path },
  ];
}

/** What a watch makes of the next steps; it ends by itself, so that nothing that comes late is lost. */
function watched(random: Seeded, kind: GeneratedKind): Step[] {
  const selector = random.below(2) === 0 ? `&${random.pick(SELECTORS.slice(0, 5))}` : '';
  const during = [create(random, kind), merged(random, kind), removed(random, kind)];
  const list = collection(kind);
  return [
    { verb: 'GET', path: `${list}?limit=500`, save: { from: 'metadata.resourceVersion' } },
    {
      verb: 'WATCH',
      path: `${list}?watch=true&timeoutSeconds=1&resourceVersion={from}${selector}`,
      ...form(random, ['table']),
      during,
    },
  ];
}
