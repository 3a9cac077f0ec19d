import {
  appArmorProfile,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seccompAnnotations,
  seccompProfile,
  seLinuxOptions,
  sysctls,
  windowsHostProcess,
} from './baseline.ts';
import { type CheckPod, type PodLike, unlessWindows, type Violation } from './checks.ts';
import {
  allowPrivilegeEscalation,
  dropCapabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompRequired,
} from './restricted.ts';

/** How strict a standard is. */
export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level as one release of Kubernetes meant it; undefined means the newest there is. */
export interface Standard {
  readonly level: Level;
  readonly minor: number | undefined;
}

interface Check {
  readonly id: string;
  /** From which minor release of Kubernetes 1 on which check counts, oldest first. */
  readonly since: readonly (readonly [minor: number, check: CheckPod])[];
  /** The baseline check that this one includes. */
  readonly replaces?: string;
}

/** Releases after this one are checked like it. */
const NEWEST_MINOR = 34;

const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

/** In the order of their ids, in which violations are told. */
const BASELINE: readonly Check[] = [
  { id: 'appArmorProfile', since: [[0, appArmorProfile]] },
  { id: 'capabilities_baseline', since: [[0, capabilities]] },
  { id: 'hostNamespaces', since: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', since: [[0, hostPathVolumes]] },
  { id: 'hostPorts', since: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', since: [[34, hostProbes]] },
  { id: 'privileged', since: [[0, privileged]] },
  { id: 'procMount', since: [[0, procMount]] },
  {
    id: 'seLinuxOptions',
    since: [
      [0, seLinuxOptions(new Set(SELINUX_TYPES))],
      [31, seLinuxOptions(new Set([...SELINUX_TYPES, 'container_engine_t']))],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    since: [
      [0, seccompAnnotations],
      [19, seccompProfile],
    ],
  },
  {
    id: 'sysctls',
    since: [
      [0, sysctls(new Set(SYSCTLS))],
      [27, sysctls(new Set(SYSCTLS_27))],
      [29, sysctls(new Set(SYSCTLS_29))],
      [32, sysctls(new Set(SYSCTLS_32))],
    ],
  },
  { id: 'windowsHostProcess', since: [[0, windowsHostProcess]] },
];

const RESTRICTED: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    since: [
      [8, allowPrivilegeEscalation],
      [25, unlessWindows(allowPrivilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    since: [
      [22, dropCapabilities],
      [25, unlessWindows(dropCapabilities)],
    ],
    replaces: 'capabilities_baseline',
  },
  { id: 'restrictedVolumes', since: [[0, restrictedVolumes]], replaces: 'hostPathVolumes' },
  { id: 'runAsNonRoot', since: [[0, runAsNonRoot]] },
  { id: 'runAsUser', since: [[23, runAsUser]] },
  {
    id: 'seccompProfile_restricted',
    since: [
      [19, seccompRequired],
      [25, unlessWindows(seccompRequired)],
    ],
    replaces: 'seccompProfile_baseline',
  },
];

/** What a pod does that the standard does not allow. */
export function violationsOf(pod: PodLike, { level, minor }: Standard): Violation[] {
  if (level === 'privileged') return [];
  return checksOf(level, Math.min(minor ?? NEWEST_MINOR, NEWEST_MINOR))
    .map((check) => check(pod))
    .filter((violation) => violation !== undefined);
}

function checksOf(level: Exclude<Level, 'privileged'>, minor: number): CheckPod[] {
  const strict =
    level === 'restricted' ? RESTRICTED.filter((each) => checkAt(each, minor) !== undefined) : [];
  const replaced = new Set(strict.map(({ replaces }) => replaces));
  return [...BASELINE.filter(({ id }) => !replaced.has(id)), ...strict]
    .map((each) => checkAt(each, minor))
    .filter((check) => check !== undefined);
}

function checkAt({ since }: Check, minor: number): CheckPod | undefined {
  return since.filter(([from]) => from <= minor).at(-1)?.[1];
}

/** All violations in one sentence. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
