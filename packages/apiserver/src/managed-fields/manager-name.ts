/** What a write says about who comes to own the fields it changes. */
export interface ManagedWrite {
  /** Whose write it is. @default kube-controller-manager */
  readonly manager?: string;
  /** True when the object already says who owns what. */
  readonly isTracked?: boolean;
}

const MAX_BYTES = 128;
/** Nearly all are, and need not be looked at letter by letter. */
const PLAIN = /^[\x20-\x7e]*$/;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Who a write is attributed to: the option, or what stands before the first slash of the user agent. */
export function managerName(fieldManager: string, userAgent: string | undefined): string {
  return fieldManager === '' ? agentName(userAgent ?? '') : fieldManager;
}

function agentName(userAgent: string): string {
  const [agent = ''] = userAgent.split('/', 1);
  if (PLAIN.test(agent)) return agent.slice(0, MAX_BYTES);
  let name = '';
  let bytes = 0;
  for (const char of agent) {
    if (!PRINTABLE.test(char)) continue;
    bytes += Buffer.byteLength(char);
    if (bytes > MAX_BYTES) break;
    name += char;
  }
  return name;
}

/** Whom writes of our own are attributed to: the program whose controllers do that work upstream. */
export const CONTROLLER_MANAGER = 'kube-controller-manager';

/** Whom those are attributed to that the API server makes by itself upstream. */
export const API_SERVER = 'kube-apiserver';
