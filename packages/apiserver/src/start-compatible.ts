import { randomUUID } from 'node:crypto';
import { clientCertificates } from './authn/client-certificates.ts';
import { type FrontProxyOptions, frontProxy } from './authn/front-proxy.ts';
import { createSigningKey, loadSigningKey, loadVerifyingKeys } from './authn/jwt.ts';
import { parseTokenFile, staticTokens } from './authn/static-tokens.ts';
import type { TokenAuthority } from './authn/tokens.ts';
import { createAlwaysAllow } from './authz/always-allow.ts';
import { type Clock, systemClock } from './clock.ts';
import type { AskDirectly } from './http/direct.ts';
import type { Around } from './http/exchange.ts';
import type { ServingPair } from './http/listener.ts';
import { createIdentity } from './identity.ts';
import type { Mount } from './mounted/mount.ts';
import { runServer, type ServerChoices } from './run-server.ts';
import { serverVersion } from './server-version.ts';
import { createMemoryStore } from './storage/memory.ts';
import type { Store } from './storage/store.ts';
import type { KubeletOptions } from './subresources/kubelet-client.ts';

/** A server as kube-apiserver's flags describe it: who may come in is read from files, and nothing is kept. */
export interface CompatibleOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly advertiseAddress: string | undefined;
  readonly serviceCidr: string;
  readonly serving: ServingPair;
  /** PEM of those who sign clients' certificates. */
  readonly clientAuthorities: string | undefined;
  readonly frontProxy: FrontProxyOptions | undefined;
  /** The text of a token file: `token,user,uid,"group1,group2"`. */
  readonly tokens: string | undefined;
  readonly serviceAccounts: ServiceAccountOptions;
  readonly allowsEverything: boolean;
  readonly anonymous: boolean;
  /** Whether machines may join with bootstrap tokens. */
  readonly bootstrapTokens: boolean;
  readonly admissionPlugins: NonNullable<ServerChoices['admissionPlugins']>;
  readonly kubelet: KubeletOptions;
  /** Whether to do what a kube-controller-manager would do as well. */
  readonly doesManagersWork: boolean;
  /** Where objects are kept; in memory when undefined. */
  readonly dataFolder: string | undefined;
  /** Where objects are kept instead; stays open for the next server. */
  readonly store?: Store;
  /** Groups that packages serve inside this server. */
  readonly mounts?: readonly Mount[];
  /** Sees every request first, refused ones included. @default nobody */
  readonly around?: Around;
  readonly log: (line: string) => void;
  readonly clock?: Clock;
}

/** How tokens of service accounts are signed and checked. */
export interface ServiceAccountOptions {
  /** The first one signs. */
  readonly issuers: readonly string[];
  /** @default the issuers */
  readonly audiences: readonly string[];
  /** PEM of the key that signs; one is made when undefined. */
  readonly signingKey: string | undefined;
  /** PEM of the keys and certificates that verify; the signing key does when there are none. */
  readonly verifyingKeys: readonly string[];
}

/** A server on its sockets. */
export interface CompatibleServer {
  readonly url: string;
  /** For whoever is in this process: the same answers without a socket. */
  readonly ask: AskDirectly;
  readonly version: string;
  /** Finishes what is under way, though not for long. */
  readonly stop: () => Promise<void>;
}

/** Whoever stops a test server wants it gone; a request that hangs is not waited for. */
const GRACE_MS = 2_000;

/** Starts a server the way a test suite starts kube-apiserver. */
export async function startCompatible(options: CompatibleOptions): Promise<CompatibleServer> {
  const clock = options.clock ?? systemClock;
  const report = (error: unknown): void =>
    options.log(
      `error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  const tokens = tokenAuthority(options.serviceAccounts);
  const known = staticTokens(parseTokenFile(options.tokens ?? ''));
  const { clientAuthorities = '', serving } = options;
  const store = options.store ?? (await openStore(options.dataFolder, clock));
  const closeStore = async (): Promise<void> => {
    if (options.store === undefined) await store[Symbol.asyncDispose]();
  };
  try {
    const { listener, stop } = await runServer({
      store,
      certificates: { main: serving },
      host: options.host,
      port: options.port,
      advertiseAddress: options.advertiseAddress,
      serviceCidr: options.serviceCidr,
      server: {
        doesManagersWork: options.doesManagersWork,
        asksForAnonymous: options.anonymous,
        admissionPlugins: options.admissionPlugins,
        kubelet: options.kubelet,
        ...(options.mounts === undefined ? {} : { mounts: options.mounts }),
        ...(options.allowsEverything ? { authorizer: createAlwaysAllow } : {}),
      },
      clock,
      report,
      ...(options.around === undefined ? {} : { around: options.around }),
      identity: (context, { url }) =>
        createIdentity(
          {
            clientCertificates:
              // Without authorities a certificate means nothing, good or bad, as upstream has it.
              clientAuthorities === ''
                ? { verify: () => undefined }
                : clientCertificates(() => clientAuthorities),
            staticTokens: known,
            tokens,
            ...(options.frontProxy === undefined
              ? {}
              : { frontProxy: frontProxy(options.frontProxy) }),
            refusesAnonymous: !options.anonymous,
            bootstrapTokens: options.bootstrapTokens,
            caBundle: () => serving.certificate,
            clock,
            newId: randomUUID,
            url: () => url,
            onRejected: (reason) => options.log(`rejected a credential: ${reason.message}`),
          },
          context,
        ),
    });
    return {
      url: listener.url,
      ask: listener.ask,
      version: serverVersion.gitVersion,
      stop: async () => {
        await stop({ delayMs: 0, graceMs: GRACE_MS });
        await closeStore();
      },
    };
  } catch (error) {
    await closeStore();
    throw error;
  }
}

async function openStore(dir: string | undefined, clock: Clock): Promise<Store> {
  const now = (): number => clock.now().getTime();
  if (dir === undefined) return createMemoryStore({ now });
  const { openLmdbStore } = await import('./storage/lmdb.ts');
  return openLmdbStore({ dir, now });
}

function tokenAuthority(options: ServiceAccountOptions): TokenAuthority {
  const [issuer = 'https://kubernetes.default.svc', ...otherIssuers] = options.issuers;
  const key =
    options.signingKey === undefined ? createSigningKey() : loadSigningKey(options.signingKey);
  const verifyingKeys = options.verifyingKeys.flatMap(loadVerifyingKeys);
  return {
    issuer,
    otherIssuers,
    audiences: options.audiences.length === 0 ? [issuer, ...otherIssuers] : options.audiences,
    keys: [key],
    ...(verifyingKeys.length === 0 ? {} : { verifyingKeys }),
  };
}
