import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminAccess } from '@flotilla/apiserver';
import { parseYaml } from '@flotilla/machinery';
import type { FleetMember } from './fleet-member.ts';

/** Where a member keeps its own kubeconfig. */
export function memberKubeconfigFile({ folder }: FleetMember): string {
  return join(folder, 'kubeconfig');
}

interface WrittenKubeconfig {
  readonly clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
  readonly users: { user: { token: string } }[];
}

/** How a member was reached when it last ran, for kubeconfigs that are written before it runs again. */
export function lastAccess(member: FleetMember): AdminAccess | undefined {
  try {
    const text = readFileSync(memberKubeconfigFile(member), 'utf8');
    const { clusters, users } = parseYaml(text).value as unknown as WrittenKubeconfig;
    const [{ cluster } = { cluster: undefined }] = clusters;
    const [{ user } = { user: undefined }] = users;
    if (cluster === undefined || user === undefined) return undefined;
    const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString();
    return { name: member.name, server: cluster.server, ca, token: user.token };
  } catch {
    // Never started, or cut short: it is written anew as soon as the member runs.
    return undefined;
  }
}
