import {
  type Around,
  createMemoryStore,
  ensureServingPair,
  type Mount,
  ROOT_TENANT,
  startCompatible,
  systemClock,
} from '@flotilla/apiserver';
import type { Access, AskDirectly } from '@flotilla/client';

/** An API server of a test, in this process, on a loopback port of its own. */
export interface TestApiServer extends AsyncDisposable {
  /** As its administrator, a member of system:masters. The port stays the same over restarts. */
  readonly access: Access;
  readonly url: string;
  /** The same answers without a socket, from whichever server runs; none while it is stopped. */
  readonly ask: AskDirectly;
  /** The same server, acting as someone else, who may do nothing until RBAC says so. */
  readonly accessAs: (user: string, groups?: readonly string[]) => Access;
  /** Ends the server as a shutdown would; what is stored stays. */
  readonly stop: () => Promise<void>;
  /** Starts it again on the same data and the same port. */
  readonly start: () => Promise<void>;
  /** Forgets all history, so that watches can go on from nowhere but now. */
  readonly compact: () => Promise<void>;
  /** Errors of the server's own so far; disposing throws when there are any. */
  readonly failures: readonly string[];
}

/** What may differ from a server as `flotilla up` starts it. */
export interface TestServerOptions {
  /** Whether to do what a kube-controller-manager does: namespaces, garbage collection and so on. @default true */
  readonly doesManagersWork?: boolean;
  /** Groups that packages serve inside the server, also after a restart. @default none */
  readonly mounts?: readonly Mount[];
  /** PEM of the authorities whose client certificates name users. @default none */
  readonly clientAuthorities?: string;
  /** Sees every request first, also after a restart; may answer it instead of the server. @default nobody */
  readonly around?: Around;
}

const ADMIN_TOKEN = 'admin';

/**
 * Starts the embedded API server, in memory.
 *
 * @example
 * await using server = await startServer();
 * const transport = createTransport({ access: server.access, … });
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestApiServer> {
  const clock = systemClock;
  const store = createMemoryStore({ now: () => clock.now().getTime() });
  const serving = ensureServingPair({ folder: undefined, hosts: [], now: clock.now() });
  const failures: string[] = [];
  const run = (port: number) =>
    startCompatible({
      host: '127.0.0.1',
      port,
      advertiseAddress: undefined,
      serviceCidr: '10.0.0.0/16',
      serving,
      clientAuthorities: options.clientAuthorities,
      frontProxy: undefined,
      tokens: `${ADMIN_TOKEN},admin,admin,"system:masters"`,
      serviceAccounts: { issuers: [], audiences: [], signingKey: undefined, verifyingKeys: [] },
      allowsEverything: false,
      anonymous: false,
      bootstrapTokens: false,
      admissionPlugins: {},
      kubelet: {},
      doesManagersWork: options.doesManagersWork ?? true,
      ...(options.mounts === undefined ? {} : { mounts: options.mounts }),
      ...(options.around === undefined ? {} : { around: options.around }),
      dataFolder: undefined,
      store,
      log: (line) => {
        if (line.startsWith('error: ')) failures.push(line);
      },
      clock,
    });
  let running: Awaited<ReturnType<typeof run>> | undefined = await run(0);
  const { url } = running;
  const stop = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    await ending?.stop();
  };
  const access: Access = {
    server: url,
    tls: { ca: serving.certificate },
    credential: bearer(ADMIN_TOKEN),
    namespace: 'default',
  };
  return {
    access,
    url,
    ask: (request, reader) => {
      if (running !== undefined) return running.ask(request, reader);
      const timer = setImmediate(reader.onGone);
      return { pause: () => {}, resume: () => {}, cancel: () => clearImmediate(timer) };
    },
    accessAs: (user, groups = []) => ({ ...access, impersonate: { user, groups } }),
    stop,
    start: async () => {
      running ??= await run(Number(new URL(url).port));
    },
    compact: () => store.compact(ROOT_TENANT, store.revision(ROOT_TENANT)),
    failures,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await store[Symbol.asyncDispose]();
      // A test that met a bug of the server must not pass.
      if (failures.length > 0) throw new Error(failures.join('\n'));
    },
  };
}

function bearer(token: string): Access['credential'] {
  const presented = { authorization: `Bearer ${token}` };
  return { present: async () => presented, refused: async () => false };
}
