import { isWrittenAs } from '../secret/wanted-secret.ts';
import type { Visit } from '../visit.ts';

/** Tells of cluster Secrets that carry our mark under a name that nobody gave them; they are left alone. */
export function tellRenamed({ pass, deps, remembered }: Visit, ours: readonly string[]): void {
  for (const secret of deps.secrets.markedBy(pass.observed.metadata.uid ?? '')) {
    const { name = '' } = secret.metadata;
    const topic = `RenamedExternally ${name}`;
    if (ours.includes(name) || isWrittenAs(secret, name) || remembered.said.has(topic)) continue;
    remembered.said.add(topic);
    pass.event({
      type: 'Warning',
      reason: 'RenamedExternally',
      action: 'PublishCluster',
      note: `Secret "${deps.gatewayNamespace}/${name}" is a copy of this cluster's under another name, as "vela cluster rename" makes it; it is left alone: delete it, or set spec.clusterName`,
    });
  }
}
