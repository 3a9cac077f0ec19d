import { type Connector, createConnector } from '@flotilla/client';
import { type Clock, tooManyRequests } from '@flotilla/machinery';
import { memberAccess } from '../../cluster-secret/connect-member.ts';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { credentialRevision } from '../../cluster-secret/revision.ts';
import { type AgentLimits, MemberAgent } from './member-agent.ts';

/** A member that requests can be sent to. */
export interface Member {
  readonly place: Pick<Connector, 'host' | 'port' | 'authority' | 'basePath'>;
  readonly agent: MemberAgent;
  /** The Authorization header of the cluster's own credential, where it is a token. */
  readonly authorization: string | undefined;
  /** Counts a request; call what it gives back when the request is over. Throws when there are too many. */
  readonly enter: () => () => void;
}

/** Connections to all members. */
export interface Members {
  /** The member of a key, with the credential that it has now. */
  readonly get: (key: string, access: MemberAccess) => Promise<Member>;
  /** Forgets a member that is no more. */
  readonly drop: (key: string) => void;
  /** Ends all connections; it may be used again. */
  readonly close: () => void;
}

/** What connections are made with. */
export interface MembersDeps {
  readonly clock: Clock;
  readonly limits: MemberLimits;
  readonly policy: DialPolicy;
}

/** What the hub lets itself be made to dial by whoever writes cluster Secrets. */
export interface DialPolicy {
  /** What is wrong with an endpoint or a proxy, for people; undefined when nothing. Asked before a connection is made. */
  readonly checkEndpoint: (url: string) => Promise<string | undefined>;
  /** Asked of every address that a name leads to at the moment of dialling. */
  readonly allowsAddress: (address: string) => boolean;
}

/** Bounds, so that one member or many cannot take the hub's memory. */
export interface MemberLimits extends AgentLimits {
  /** Members with connections; beyond it, who was used longest ago is let go. */
  readonly members: number;
}

interface Kept extends Member {
  readonly revision: string;
  readonly load: { requests: number };
}

/** Makes connections when they are needed, keeps them for the next request, and changes them with the credential. */
export function createMembers(deps: MembersDeps): Members {
  /** Who was used last stands last. */
  const kept = new Map<string, Kept>();
  const drop = (key: string): void => {
    kept.get(key)?.agent.retire();
    kept.delete(key);
  };
  const makeRoom = (): void => {
    for (const [key, { load }] of kept) {
      if (kept.size <= deps.limits.members) return;
      if (load.requests === 0) drop(key);
    }
  };
  return {
    get: async (key, access) => {
      const revision = credentialRevision(access);
      const known = kept.get(key);
      if (known?.revision === revision) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      drop(key);
      const member = await connected(deps, access, revision);
      // Another request may have been as quick.
      drop(key);
      kept.set(key, member);
      makeRoom();
      return member;
    },
    drop,
    close: () => {
      for (const { agent } of kept.values()) agent.close();
      kept.clear();
    },
  };
}

async function connected(
  { clock, limits, policy }: MembersDeps,
  access: MemberAccess,
  revision: string,
): Promise<Kept> {
  const reached = memberAccess(access);
  const connector = createConnector({
    access: reached,
    clock,
    allowsAddress: policy.allowsAddress,
  });
  const { authorization } = await reached.credential.present();
  const load = { requests: 0 };
  const agent = new MemberAgent(async (signal) => {
    for (const url of [access.endpoint, access.proxyUrl]) {
      const problem = url === undefined ? undefined : await policy.checkEndpoint(url);
      if (problem !== undefined) throw new EndpointRefused(problem);
    }
    return connector.connect(signal);
  }, limits);
  return {
    place: connector,
    agent,
    authorization,
    revision,
    load,
    enter: () => {
      if (load.requests >= limits.connections) {
        throw tooManyRequests('Too many requests to this cluster, please try again later.', 1);
      }
      load.requests += 1;
      let isOver = false;
      return () => {
        if (!isOver) load.requests -= 1;
        isOver = true;
      };
    },
  };
}

/** The hub's policy does not allow where the endpoint leads. */
export class EndpointRefused extends Error {
  override readonly name = 'EndpointRefused';
}
