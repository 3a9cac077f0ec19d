import { type Client, createClient, createTransport } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import { memberAccess } from '../../cluster-secret/connect-member.ts';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { type Conceal, concealing } from './conceal.ts';

/** A connection to a member for as long as a pass needs it; nothing is kept between passes. */
export interface MemberSession extends AsyncDisposable {
  readonly endpoint: string;
  readonly client: Client;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  /** Of that wait, as the spec writes it. */
  readonly timeout: string;
  /** For everything that the member says and others read. */
  readonly conceal: Conceal;
}

/** What connections to members are made with. */
export interface DialOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Asked at the moment of dialling: a name may lead elsewhere than it did when its source was judged. */
  readonly allowsAddress: (address: string) => boolean;
}

/** A member may be anybody: no answer that we ask for is longer. */
const LONGEST_ANSWER = 4 * 1024 * 1024;
const LONGEST_HEAD = 64 * 1024;

/** Gets ready to talk to a member; connects with the first request. */
export function openMember(
  access: MemberAccess,
  limits: { readonly timeout: string; readonly timeoutMs: number },
  { clock, random, allowsAddress }: DialOptions,
): MemberSession {
  const { timeout, timeoutMs } = limits;
  const transport = createTransport({
    access: memberAccess(access),
    clock,
    random,
    allowsAddress,
    limits: {
      requests: 8,
      connectMs: timeoutMs,
      totalMs: timeoutMs,
      answerBytes: LONGEST_ANSWER,
      headBytes: LONGEST_HEAD,
      // Whoever is overloaded is asked again at the next heartbeat, not by a pass that waits for it.
      retries: 0,
    },
  });
  const client = createClient(transport, { clock });
  return {
    endpoint: access.endpoint,
    client,
    timeout,
    timeoutMs,
    conceal: concealing(access),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
