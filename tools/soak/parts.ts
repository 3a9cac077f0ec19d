/** One long form of a test: where it is, and how long it gets. */
export interface SoakPart {
  readonly name: string;
  /** Part of the test file's path, as `npm run unit` takes it. */
  readonly file: string;
  /** Environment variables that hold a count; each is multiplied by the scale. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether it needs the real programs, as what `npm run real` runs does. */
  readonly isReal?: boolean;
  /** What a figure looks like among the runner's lines. @default those that say so */
  readonly figure?: RegExp;
}

/** The long forms, longest last. */
export const PARTS: readonly SoakPart[] = [
  {
    name: 'storage-crash',
    file: 'storage/crash.test',
    counts: { FLOTILLA_CRASH_ROUNDS: 500 },
    figure: /\d+ writes acknowledged, \d+ found/,
  },
  { name: 'kill', file: 'e2e/robustness/kill', counts: { FLOTILLA_KILL_ROUNDS: 200 } },
  {
    name: 'full-disk',
    file: 'e2e/robustness/full-disk',
    counts: { FLOTILLA_FULL_DISK_ROUNDS: 20 },
  },
  {
    name: 'odd-objects',
    file: 'e2e/robustness/odd-objects',
    counts: { FLOTILLA_ODD_OBJECTS: 40_000 },
  },
  {
    name: 'heavy-objects',
    file: 'e2e/robustness/heavy-objects',
    counts: { FLOTILLA_HEAVY_OBJECTS: 1_000 },
  },
  {
    name: 'protobuf',
    file: 'e2e/robustness/protobuf',
    counts: { FLOTILLA_PROTOBUF_MUTATIONS: 30_000 },
  },
  {
    name: 'clients',
    file: 'e2e/robustness/odd-clients',
    counts: { FLOTILLA_IDLE_CONNECTIONS: 10_000, FLOTILLA_CLIENT_ROUNDS: 30 },
  },
  {
    name: 'client-faults',
    file: 'testkit/src/client-faults',
    counts: { FLOTILLA_CLIENT_FAULTS: 10_000 },
  },
  {
    name: 'controller-faults',
    file: 'testkit/src/runtime/controller-faults',
    counts: { FLOTILLA_CONTROLLER_FAULTS: 10_000 },
  },
  {
    name: 'kill-points',
    file: 'registration/crash/kill-points',
    // More than there are.
    counts: { FLOTILLA_KILL_POINTS: 1_000 },
  },
  {
    name: 'client-node',
    file: 'e2e/client-node',
    counts: { FLOTILLA_CLIENT_NODE_SECONDS: 300 },
    isReal: true,
  },
  {
    name: 'generated',
    file: 'conformance/generated',
    counts: { FLOTILLA_GENERATED_CASES: 5_000 },
    isReal: true,
  },
  {
    name: 'controller-manager',
    file: 'e2e/controller-manager',
    counts: { FLOTILLA_CONTROLLER_MANAGER_SECONDS: 600 },
    isReal: true,
  },
  {
    name: 'controller-runtime',
    file: 'e2e/controller-runtime',
    counts: { FLOTILLA_CONTROLLER_RUNTIME_SECONDS: 3_600 },
    isReal: true,
  },
];

/** What the command line asks for. */
export interface SoakOptions {
  readonly parts: readonly SoakPart[];
  readonly scale: number;
  readonly seed: string | undefined;
}

/** Reads `[PART…] [--scale N] [--seed N]`. */
export function soakOptions(args: readonly string[]): SoakOptions {
  const names: string[] = [];
  let scale = 1;
  let seed: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--scale') scale = positive(arg, args[++at]);
    else if (arg === '--seed') seed = String(positive(arg, args[++at]));
    else names.push(arg);
  }
  for (const name of names) {
    if (!PARTS.some((part) => part.name === name)) {
      const known = PARTS.map((part) => part.name).join(', ');
      throw new Error(`Cannot soak "${name}": the parts are ${known}`);
    }
  }
  const parts = PARTS.filter(({ name }) => names.length === 0 || names.includes(name));
  return { parts, scale, seed };
}

function positive(flag: string, text: string | undefined): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`Cannot use ${flag} "${text ?? ''}": it must be above 0`);
  return value;
}

/** The environment of a part; every count is at least 1. */
export function partEnvironment(
  { counts }: SoakPart,
  { scale, seed }: SoakOptions,
): Record<string, string> {
  const scaled = Object.entries(counts).map(([name, count]): [string, string] => [
    name,
    String(Math.max(1, Math.round(count * scale))),
  ]);
  return { ...Object.fromEntries(scaled), ...(seed === undefined ? {} : { FLOTILLA_SEED: seed }) };
}

/** The figures among the lines a test run printed. */
export function figuresIn(output: string, { figure = /figure: / }: SoakPart): string[] {
  return output
    .split('\n')
    .filter((line) => line.includes('\u2139') && figure.test(line))
    .map((line) => line.replace(/^\s*\u2139\s*(figure:\s*)?/, ''));
}
