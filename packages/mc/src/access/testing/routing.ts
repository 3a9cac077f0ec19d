import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { type Access, loadKubeconfig } from '@flotilla/client';
import { type Clock, systemClock, toYaml } from '@flotilla/machinery';
import type { AccessOffer, FleetCluster } from '../../fleet/cluster.ts';
import type { Route, Routing } from '../../fleet/route.ts';
import type { Io } from '../../io.ts';
import { everything } from '../../settings/groups.ts';
import { pathsOf } from '../../settings/paths.ts';
import type { Settings } from '../../settings/settings.ts';
import { createCredentials } from '../credentials/create-credentials.ts';
import type { RoutingDeps } from '../routing-deps.ts';

/** A home folder of a test, with what routes are found in. */
export interface TestHome extends Disposable {
  readonly folder: string;
  /** Writes a file below it and returns its path. */
  readonly file: (path: string, content: unknown) => string;
  /**
   * Writes an executable script below it that first records its call in `calls`; `bin` is on the PATH of runs.
   * `body` is what it does then.
   */
  readonly script: (path: string, body: string) => string;
  /** The calls of scripts so far, a line each: name, arguments, and the variables of interest. */
  readonly callsFile: string;
}

/** Makes one, gone at the end. */
export function testHome(): TestHome {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-mc-access-'));
  const callsFile = join(folder, 'calls');
  const write = (path: string, text: string, mode?: number): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (mode !== undefined) chmodSync(file, mode);
    return file;
  };
  mkdirSync(join(folder, 'bin'));
  return {
    folder,
    callsFile,
    file: (path, content) => write(path, typeof content === 'string' ? content : toYaml(content)),
    script: (path, body) =>
      write(
        path,
        `#!/bin/sh\nprintf '%s\\n' "$(basename "$0") $*" >> '${callsFile}'\n${body}\n`,
        0o755,
      ),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A script's body that prints a token. */
export function printsToken(
  token: string,
  { expires, version = 'v1beta1' }: { expires?: string; version?: string } = {},
): string {
  const answer = {
    apiVersion: `client.authentication.k8s.io/${version}`,
    kind: 'ExecCredential',
    status: { token, ...(expires === undefined ? {} : { expirationTimestamp: expires }) },
  };
  return `echo '${JSON.stringify(answer)}'`;
}

/** A script's body that prints another token at each call: `t1`, `t2`, … */
export function printsNextToken({ callsFile }: TestHome): string {
  const answer = printsToken('t%s').replace('echo', 'printf');
  return `${answer} "$(grep -c . '${callsFile}')"`;
}

/** What tests change of the settings' defaults. */
export interface SettingsChanges {
  readonly access?: Partial<Settings['access']>;
  readonly kubectl?: Partial<Settings['kubectl']>;
  readonly execution?: Partial<Settings['execution']>;
  readonly verbosity?: number;
}

/** The settings' defaults. */
export function settingsWith(changes: SettingsChanges = {}): Settings {
  return {
    hub: { contexts: [], namespaces: ['*'] },
    discovery: { cacheTtlMs: 300_000, api: 'clusterprofile', refresh: false, noCache: false },
    selection: everything,
    access: {
      order: ['mapping', 'provider-file', 'properties', 'kubeconfig-match', 'hub-proxy'],
      builtinTemplates: true,
      allowedCommands: [],
      allowInsecureProfiles: false,
      diskCache: false,
      ...changes.access,
    },
    execution: {
      maxConcurrency: 10,
      timeoutMs: 30_000,
      connectTimeoutMs: 5_000,
      retries: 1,
      unhealthy: 'last',
      failFast: false,
      allowPartial: false,
      requireAll: false,
      ...changes.execution,
    },
    output: { color: 'never', clusterColumn: 'after-name', stream: false, progress: 'none' },
    verbosity: changes.verbosity ?? 0,
    kubectl: { namespaces: [], asGroups: [], insecureSkipTlsVerify: false, ...changes.kubectl },
  };
}

/** What a test's routing needs, and what was said during it. */
export interface TestRouting extends RoutingDeps {
  readonly notes: string[];
  readonly warnings: string[];
  readonly questions: string[];
  /** What went to stderr beside those. */
  readonly said: string[];
}

/** How a test's world differs from that of a script without a terminal. */
export interface RoutingChanges extends SettingsChanges {
  readonly isTerminal?: boolean;
  /** What is typed at each question. */
  readonly answers?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly hub?: () => Promise<Access>;
  readonly mayAsk?: boolean;
}

/** Dependencies with the home's kubeconfig, PATH and files. */
export function routingIn(home: TestHome, changes: RoutingChanges = {}): TestRouting {
  const settings = settingsWith(changes);
  const { isTerminal = false, clock = systemClock } = changes;
  const env = { PATH: `${join(home.folder, 'bin')}:/usr/bin:/bin`, ...changes.env };
  const answers = [...(changes.answers ?? [])];
  const notes: string[] = [];
  const warnings: string[] = [];
  const questions: string[] = [];
  const said: string[] = [];
  const io: Io = {
    out: async () => await Promise.resolve(),
    err: (text) => void said.push(text),
    stdin: Readable.from([]),
    env,
    homeFolder: home.folder,
    cwd: home.folder,
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    terminal: { out: isTerminal, err: isTerminal, in: isTerminal },
    columns: 80,
    ask: async (question) => {
      questions.push(question);
      return await Promise.resolve(answers.shift());
    },
  };
  const paths = pathsOf(io, undefined);
  const note = (level: number, text: string) => {
    if (settings.verbosity >= level) notes.push(text);
  };
  const warn = (text: string) => {
    if (!warnings.includes(text)) warnings.push(text);
  };
  let kubeconfig: ReturnType<typeof loadKubeconfig> | undefined;
  return {
    io,
    settings,
    paths,
    note,
    warn,
    kubeconfig: () => {
      kubeconfig ??= loadKubeconfig({
        env,
        home: home.folder,
        cwd: home.folder,
        path: settings.kubectl.kubeconfig,
      });
      return kubeconfig;
    },
    credentials: createCredentials({ io, settings, paths, note }),
    hub:
      changes.hub ??
      (async () => {
        await Promise.resolve();
        throw new Error('this test has no hub');
      }),
    mayAsk: changes.mayAsk,
    notes,
    warnings,
    questions,
    said,
  };
}

/** A cluster as its profile in namespace `fleet` tells of it. */
export function profiled(name: string, changes: Partial<FleetCluster> = {}): FleetCluster {
  return {
    name,
    aliases: [`fleet/${name}`],
    profile: { namespace: 'fleet', name, manager: 'test', displayName: '' },
    labels: {},
    properties: {},
    version: '',
    health: 'healthy',
    offers: [],
    ...changes,
  };
}

/** What a profile offers for a server. */
export function offering(server: string, changes: Partial<AccessOffer> = {}): AccessOffer {
  return { name: 'test', server, extensions: {}, ...changes };
}

/** The route of a routing that has one. */
export function routeIn(routing: Routing | undefined): Route {
  if (routing === undefined || !('route' in routing)) {
    throw new Error(`there is no route: ${JSON.stringify(routing)}`);
  }
  return routing.route;
}

/** Why there is no route. */
export function noneIn(routing: Routing | undefined) {
  if (routing === undefined || !('none' in routing)) throw new Error('there is a route');
  return routing.none;
}
