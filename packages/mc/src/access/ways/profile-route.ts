import {
  type Access,
  authoritiesOf,
  type Credential,
  CredentialError,
  type ExecPlugin,
  noCredential,
  type ServerTls,
  staticCredential,
} from '@flotilla/client';
import type { AccessOffer, FleetCluster } from '../../fleet/cluster.ts';
import type { Route } from '../../fleet/route.ts';
import { AccessError } from '../access-error.ts';
import { impersonationOf, proxyUrlOf } from '../member-flags.ts';
import { once } from '../once.ts';
import type { RoutingDeps } from '../routing-deps.ts';
import { canonicalServer, profileServerProblem } from '../servers.ts';

/** The command for a profile's server, and what the route through it is called. */
export interface ProfileChoice {
  readonly offer: AccessOffer;
  readonly kind: 'provider' | 'properties';
  readonly source: string;
  readonly plugin: ExecPlugin;
}

/**
 * The route to a server that a profile describes, with a credential of the user. Of what the profile says, the address
 * and its authority are taken; paths on disk are nobody's here, and going without verified TLS takes the user's own
 * setting. Throws AccessError.
 */
export function profileRoute(
  cluster: FleetCluster,
  { offer, kind, source, plugin }: ProfileChoice,
  deps: RoutingDeps,
): Route {
  const { settings } = deps;
  const { kubectl, access } = settings;
  const problem = profileServerProblem(offer.server, {
    allowsPlainLoopback: access.allowInsecureProfiles,
  });
  if (problem !== undefined) throw new AccessError(problem);
  const isInsecure = offer.insecure === true && access.allowInsecureProfiles;
  const isVerified = kubectl.insecureSkipTlsVerify || isInsecure || offer.ca !== undefined;
  if (offer.insecure === true && !isVerified) {
    throw new AccessError(
      'its profile gives no certificate authority and asks for certificates not to be checked',
      { hint: 'set access.allowInsecureProfiles to true if that is acceptable' },
    );
  }
  const serverName = kubectl.tlsServerName ?? offer.serverName;
  const namespace = cluster.mapping?.defaultNamespace ?? 'default';
  const isAnonymous = /^http:/i.test(offer.server);
  return {
    kind,
    source,
    server: offer.server,
    command: kubectl.token === undefined ? plugin.command : undefined,
    namespace,
    caSource: offer.ca === undefined ? "this machine's own authorities" : 'the profile',
    identity: `${canonicalServer(offer.server)} ${serverName ?? ''}`,
    ...(isAnonymous ? { isAnonymous } : {}),
    open: once(async (): Promise<Access> => {
      await Promise.resolve();
      const proxyUrl = proxyUrlOf(kubectl, cluster.mapping) ?? offer.proxyUrl;
      const impersonate = impersonationOf(kubectl);
      return {
        server: offer.server.replace(/\/+$/, ''),
        tls: isAnonymous
          ? {}
          : tlsOf(offer, { serverName, isInsecure: kubectl.insecureSkipTlsVerify || isInsecure }),
        ...(proxyUrl === undefined ? {} : { proxyUrl }),
        ...(offer.disableCompression === true ? { disableCompression: true } : {}),
        ...(impersonate === undefined ? {} : { impersonate }),
        credential: isAnonymous ? noCredential() : credentialOf(plugin, deps),
        namespace,
      };
    }),
  };
}

function tlsOf(
  { ca }: AccessOffer,
  { serverName, isInsecure }: { serverName: string | undefined; isInsecure: boolean },
): ServerTls {
  const named = serverName === undefined ? {} : { serverName };
  if (isInsecure) return { ...named, insecure: true };
  try {
    return { ...named, ...(ca === undefined ? {} : { ca: authoritiesOf(ca) }) };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new AccessError(
      `Cannot use the certificate authority that its profile gives: ${error.message}`,
    );
  }
}

/** A token that the user gives by hand counts before any command, as kubectl has it. */
function credentialOf(plugin: ExecPlugin, { settings, credentials }: RoutingDeps): Credential {
  const { token } = settings.kubectl;
  if (token === undefined) return credentials.ofPlugin(plugin);
  return staticCredential({ authorization: `Bearer ${token}` });
}
