import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Case, Eventually, Step, Verb } from './case.ts';
import { createNormaliser, type Normaliser, parseLossless } from './normalise.ts';
import { dropPaths, valueAt } from './paths.ts';
import { acceptHeader, requestBody } from './request-body.ts';
import type { Connection, WireAnswer, WireRequest } from './server.ts';

const POLL_MS = 50;
const EVENTUALLY_MS = 30_000;
const WATCH_MS = 15_000;
const HEADERS = [
  'allow',
  'cache-control',
  'content-type',
  'location',
  'retry-after',
  'vary',
  'warning',
  'www-authenticate',
];
const NAMESPACE = /^\/api\/v1\/namespaces\/[^/]+$/;
// Their values are the server's own; that they are there is part of the answer.
const OPAQUE_HEADERS = ['etag', 'last-modified'];

/** A step's request in one line, and its answer in the form that is compared. */
export interface StepResult {
  readonly request: string;
  readonly answer: unknown;
  readonly during?: readonly StepResult[];
}

/** Everything one server answered to one case. */
export interface Transcript {
  readonly id: string;
  readonly steps: readonly StepResult[];
  /** Steps whose code was not the one the case states. */
  readonly surprises: readonly string[];
}

interface Run {
  readonly connection: Connection;
  readonly normaliser: Normaliser;
  readonly variables: Map<string, string>;
  readonly surprises: string[];
  /** What the case made outside its namespaces, to be deleted afterwards. */
  readonly made: string[];
  /** What it made that may have got finalizers, which would keep a namespace from going. */
  readonly held: string[];
  readonly usesFinalizers: boolean;
  readonly keepNamespaces: boolean;
}

/** How a case leaves its traces on a server. */
export interface RunOptions {
  /** Ends the names of this run, so that it can be repeated on a server that lives on. */
  readonly suffix?: string;
  /** For servers that are thrown away: deleting hundreds of namespaces would slow them down. */
  readonly keepNamespaces?: boolean;
}

/** Runs a case in namespaces of its own (`{ns}`, `{ns2}`) and removes what it made. */
export async function runCase(
  each: Case,
  connection: Connection,
  options: RunOptions = {},
): Promise<Transcript> {
  const run: Run = {
    connection,
    normaliser: createNormaliser({ now: Date.now() }),
    variables: new Map(),
    surprises: [],
    made: [],
    held: [],
    usesFinalizers: /finalizers|propagation|orphan/i.test(JSON.stringify(each)),
    keepNamespaces: options.keepNamespaces ?? false,
  };
  const { host } = new URL(connection.server.url);
  run.normaliser.replace(host, '<server>');
  // A prefix no server text contains, so that replacing the name back changes nothing else.
  const name = `zz-${each.id}${options.suffix ?? ''}`;
  define(run, 'id', name);
  const script = JSON.stringify(each.steps);
  for (const [, prefix] of script.matchAll(/"generateName":"([^"]+)"/g)) {
    run.normaliser.generated(String(prefix));
  }
  const namespaces = ['ns', 'ns2'].filter((variable) => script.includes(`{${variable}}`));
  for (const variable of namespaces) define(run, variable, `${name}-${variable}`);
  await Promise.all(namespaces.map((variable) => makeNamespace(run, variable)));
  try {
    return { id: each.id, steps: await runSteps(run, each.steps), surprises: run.surprises };
  } finally {
    await cleanUp(run);
  }
}

function define(run: Run, variable: string, value: string): void {
  run.variables.set(variable, value);
  run.normaliser.replace(value, `{${variable}}`);
}

// The built-in controllers fill a new namespace; a case begins when they are done with it.
async function makeNamespace(run: Run, variable: string): Promise<void> {
  const name = run.variables.get(variable);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const made = await send(run, { verb: 'POST', path: '/api/v1/namespaces', body });
  if (made.code !== 201) {
    throw new Error(`Cannot make namespace "${name}": the server answered ${made.bytes}`);
  }
  run.made.push(`/api/v1/namespaces/${name}`);
  for (const path of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
    await poll(run, { verb: 'GET', path: `/api/v1/namespaces/${name}/${path}`, eventually: 200 });
  }
}

async function cleanUp(run: Run): Promise<void> {
  for (const path of run.held) {
    const body = { metadata: { finalizers: null } };
    await send(run, { verb: 'PATCH', path, type: 'merge', body });
  }
  for (const path of run.made.reverse()) {
    // Nothing stops the containers of a pod that claims to be on a node.
    const grace = /\/pods\/[^/]+$/.test(path) ? '?gracePeriodSeconds=0' : '';
    if (run.keepNamespaces && NAMESPACE.test(path)) continue;
    await send(run, { verb: 'DELETE', path: `${path}${grace}` });
  }
}

async function runSteps(run: Run, steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const written of steps) {
    const step = substitute(written, run.variables) as Step;
    const request = describe(written);
    const result = await RUNNERS[runnerOf(step.verb)](run, step, request);
    const code = (result.answer as { code: number }).code;
    if (step.is !== undefined && code !== step.is) {
      run.surprises.push(`${result.request}: ${code} instead of ${step.is}`);
    }
    results.push(result);
  }
  return results;
}

const RUNNERS = { WATCH: runWatch, TOGETHER: runTogether, request: runRequest };

function runnerOf(verb: Verb): keyof typeof RUNNERS {
  return verb === 'WATCH' || verb === 'TOGETHER' ? verb : 'request';
}

/** Sends all at once; who comes first is chance, so only how many got which code is compared. */
async function runTogether(run: Run, step: Step, request: string): Promise<StepResult> {
  const steps = (step.during ?? []).map((each) => substitute(each, run.variables) as Step);
  const answers = await Promise.all(steps.map((each) => send(run, each)));
  return {
    request,
    answer: { code: 200, codes: answers.map(({ code }) => code).sort((a, b) => a - b) },
  };
}

async function runRequest(run: Run, step: Step, request: string): Promise<StepResult> {
  const answer = await (step.eventually === undefined ? send(run, step) : poll(run, step));
  const body = parseBody(answer);
  remember(run, step, body);
  if (step.verb === 'POST' && answer.code === 201) noteCreation(run, step, body);
  if (step.look === 'code') return { request, answer: { code: answer.code } };
  const head = { code: answer.code, headers: pickHeaders(run.normaliser, answer.headers) };
  if (step.look === 'head') return { request, answer: head };
  return { request, answer: { ...head, body: look(run.normaliser, step, body) } };
}

async function runWatch(run: Run, step: Step, request: string): Promise<StepResult> {
  const watch = await run.connection.watch(toWire(run, step));
  const during = await runSteps(run, step.during ?? []);
  const until = step.until ?? 'end';
  const done = () => {
    if (until === 'end') return false;
    if (until === 'bookmark')
      return watch.lines.some((line) => line.startsWith('{"type":"BOOKMARK'));
    return watch.lines.length >= until;
  };
  const ended = await watch.collect(done, watch.code === 200 ? WATCH_MS : POLL_MS * 10);
  watch.close();
  const events = watch.lines.map(parseText);
  remember(run, step, { events });
  const timedOut = !ended && !done();
  return {
    request,
    answer: {
      code: watch.code,
      headers: pickHeaders(run.normaliser, watch.headers),
      events: events.map((event) => look(run.normaliser, step, event)),
      ...(timedOut ? { timedOut } : {}),
    },
    ...(during.length === 0 ? {} : { during }),
  };
}

async function poll(run: Run, step: Step): Promise<WireAnswer> {
  const deadline = Date.now() + EVENTUALLY_MS;
  for (;;) {
    const answer = await send(run, step);
    if (isThere(answer, step.eventually ?? 200) || Date.now() > deadline) return answer;
    await pause(POLL_MS);
  }
}

function isThere(answer: WireAnswer, wanted: Eventually): boolean {
  if (typeof wanted === 'number') return answer.code === wanted;
  const body = parseBody(answer);
  return Object.entries(wanted).every(([path, value]) => {
    const found = valueAt(body, path);
    return value === 'any' ? found !== undefined : found === value;
  });
}

function send(run: Run, step: Step): Promise<WireAnswer> {
  return run.connection.send(toWire(run, step));
}

function toWire(run: Run, step: Step): WireRequest {
  const body = requestBody(step);
  const token = step.auth ?? run.connection.server.token;
  return {
    method: step.verb === 'WATCH' ? 'GET' : step.verb,
    path: step.path,
    headers: {
      accept: acceptHeader(step.accept),
      ...(body?.type === undefined || body.type === 'none' ? {} : { 'content-type': body.type }),
      ...step.headers,
    },
    bytes: body?.bytes,
    token: token === 'none' ? undefined : token,
  };
}

function remember(run: Run, step: Step, body: unknown): void {
  for (const [variable, path] of Object.entries(step.save ?? {})) {
    const value = valueAt(body, path);
    if (value === undefined) {
      run.surprises.push(`${describe(step)}: nothing at ${path} to save`);
    }
    run.variables.set(variable, value === undefined ? '' : String(value));
  }
}

function noteCreation(run: Run, step: Step, body: unknown): void {
  const name = valueAt(body, 'metadata.name');
  if (typeof name !== 'string' || step.path.includes('dryRun')) return;
  const path = `${step.path.replace(/\?.*/, '')}/${name}`;
  if (run.usesFinalizers) run.held.push(path);
  // A namespace takes long to go; the addresses, ports and pods in it are to be free at once.
  const inNamespace = valueAt(body, 'metadata.namespace') !== undefined;
  if (!inNamespace || /\/(pods|services)\/[^/]+$/.test(path)) run.made.push(path);
}

function describe(step: Step): string {
  const accept = step.accept === undefined ? '' : ` (${step.accept})`;
  return `${step.verb} ${step.path}${accept}`;
}

function look(normaliser: Normaliser, step: Step, body: unknown): unknown {
  const picked =
    step.pick === undefined
      ? body
      : Object.fromEntries(step.pick.map((path) => [path, valueAt(body, path) ?? null]));
  const kept = normaliser.value(step.drop === undefined ? picked : dropPaths(picked, step.drop));
  return step.unordered === true ? withoutOrder(kept) : kept;
}

// For answers that upstream builds from a Go map, whose order is chance; the message of such a
// Status repeats its causes in that order.
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const isStatus = valueAt(value, 'kind') === 'Status';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(isStatus && key === 'message'))
      .map(([key, each]) => [key, withoutOrder(each)]),
  );
}

function pickHeaders(normaliser: Normaliser, headers: IncomingHttpHeaders): unknown {
  const picked = HEADERS.filter((name) => headers[name] !== undefined).map((name) => [
    name,
    normaliser.text(String(headers[name])),
  ]);
  const opaque = OPAQUE_HEADERS.filter((name) => headers[name] !== undefined).map((name) => [
    name,
    '<present>',
  ]);
  return Object.fromEntries([...picked, ...opaque]);
}

function parseBody({ headers, bytes }: WireAnswer): unknown {
  const type = headers['content-type'] ?? '';
  if (type.includes('protobuf')) return `<${bytes.subarray(0, 3)} protobuf>`;
  const text = bytes.toString();
  return type.includes('json') || text.startsWith('{') ? parseText(text) : text;
}

function parseText(text: string): unknown {
  try {
    return parseLossless(text);
  } catch {
    return text;
  }
}

// Only known names are replaced, so that braces of a JSON text stay what they are.
function substitute(value: unknown, variables: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole);
  }
  if (Array.isArray(value)) return value.map((each) => substitute(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      key === 'during' ? [key, each] : [key, substitute(each, variables)],
    ),
  );
}
