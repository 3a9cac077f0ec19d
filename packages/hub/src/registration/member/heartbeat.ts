import type { Client } from '@flotilla/client';
import { isForbidden, isUnauthorized, statusErrorOf } from '@flotilla/machinery';
import { GATEWAY_PREFIX } from '../../cluster-secret/names.ts';
import { brief } from '../brief.ts';
import { type MemberFault, memberFault } from './member-fault.ts';
import type { MemberSession } from './member-session.ts';
import { type MemberVersion, readVersion } from './member-version.ts';

/** How one look at a member ended. */
export type Heartbeat = { readonly via: 'gateway' | 'direct' } & (
  | { readonly result: 'alive'; readonly version: MemberVersion | undefined }
  | { readonly result: 'unauthorized' }
  | ({ readonly result: 'failed' } & MemberFault)
);

/** Asks a member for its version, straight away. */
export async function beatDirectly(member: MemberSession, signal: AbortSignal): Promise<Heartbeat> {
  try {
    const answer = await member.client.raw({ path: '/version', signal });
    return { via: 'direct', result: 'alive', version: readVersion(answer, member.conceal) };
  } catch (error) {
    return judge(error, { via: 'direct', asked: member, signal });
  }
}

/**
 * Asks a member for its version the way consumers go: through the gateway. Undefined when the hub itself does not let us
 * use the gateway, which says nothing about the member.
 */
export async function beatThroughGateway(
  hub: Pick<Client, 'raw'>,
  asked: Pick<MemberSession, 'endpoint' | 'timeout' | 'timeoutMs' | 'conceal'> & {
    readonly cluster: string;
  },
  signal: AbortSignal,
): Promise<Heartbeat | undefined> {
  const { cluster, timeoutMs } = asked;
  const path = `/apis/${GATEWAY_PREFIX}/v1alpha1/clustergateways/${cluster}/proxy/version`;
  try {
    const answer = await hub.raw({ path, signal, timeoutMs });
    return { via: 'gateway', result: 'alive', version: readVersion(answer, asked.conceal) };
  } catch (error) {
    const details = statusErrorOf(error)?.details;
    if (isForbidden(error) && details?.['group'] === GATEWAY_PREFIX) return undefined;
    return judge(error, { via: 'gateway', asked, signal });
  }
}

function judge(
  error: unknown,
  about: {
    readonly via: Heartbeat['via'];
    readonly asked: { readonly endpoint: string; readonly timeout: string };
    readonly signal: AbortSignal;
  },
): Heartbeat {
  const { via, asked, signal } = about;
  signal.throwIfAborted();
  if (isUnauthorized(error)) return { via, result: 'unauthorized' };
  // It is there and knows us; what we may do there is another matter.
  if (isForbidden(error)) return { via, result: 'alive', version: undefined };
  const fault = memberFault(error, asked);
  if (fault === undefined) throw error;
  return { via, result: 'failed', ...(via === 'gateway' ? gatewayFault(error, fault) : fault) };
}

/** What the gateway says of a member it cannot reach, in the words for a member that we cannot reach ourselves. */
function gatewayFault(error: unknown, fault: MemberFault): MemberFault {
  const refusal = statusErrorOf(error);
  const message = brief(`Through the gateway: ${fault.message}`);
  // No answer from the hub at all is not the member's fault either.
  if (refusal === undefined) return { reason: 'GatewayUnavailable', message };
  const { code } = refusal;
  const text = refusal.message;
  if (/x509:|certificate|tls:/i.test(text)) return { reason: 'TLSVerificationFailed', message };
  if (/no such host|lookup /i.test(text)) return { reason: 'DNSFailed', message };
  if (/timeout|deadline exceeded/i.test(text) || code === 504)
    return { reason: 'Timeout', message };
  if (/dial tcp|connection refused|no route to host/i.test(text)) {
    return { reason: 'DialFailed', message };
  }
  const isGateway = code === 503 || /no such cluster/.test(text);
  return { reason: isGateway ? 'GatewayUnavailable' : 'ServerError', message };
}
