import { clusterSecretData } from '../../../cluster-secret/cluster-secret-data.ts';
import type { ResolvedSource } from '../resolved-source.ts';

/** What a source would put into the cluster Secret, decoded. */
export function written({ member }: ResolvedSource): Record<string, string> {
  return Object.fromEntries(
    Object.entries(clusterSecretData(member)).map(([name, value]) => [
      name,
      Buffer.from(value, 'base64').toString(),
    ]),
  );
}

/** As fields of kubeconfigs and registrations want it. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
