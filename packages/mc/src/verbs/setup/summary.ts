import { formatColumns } from '@flotilla/machinery';
import type { FleetCluster } from '../../fleet/cluster.ts';
import { printableCell } from '../../text/printable.ts';
import type { SetupRun } from './setup-run.ts';
import { verificationText } from './verify-clusters.ts';

/** What became of each cluster, in their order. */
export function resultTable(
  clusters: readonly FleetCluster[],
  { results, choices }: Pick<SetupRun, 'results' | 'choices'>,
): string {
  const isVerified = choices.isVerifying && !choices.isDryRun;
  const headers = ['CLUSTER', 'CONTEXT', 'RESULT', ...(isVerified ? ['VERIFIED'] : []), 'DETAIL'];
  const rows = clusters.flatMap(({ name }) => {
    const result = results.get(name);
    if (result === undefined) return [];
    const { context, state, detail, verification } = result;
    const shown = choices.isDryRun && state === 'mapped' ? 'would map' : state;
    const verified = verification === undefined ? '<none>' : verificationText(verification);
    return [
      [name, context ?? '<none>', shown, ...(isVerified ? [verified] : []), detail].map(
        printableCell,
      ),
    ];
  });
  return rows.length === 0 ? '' : formatColumns([headers, ...rows]);
}

/** 3 when a cluster was left unmapped without its user saying so, or did not answer as it should; else 0. */
export function exitCode(
  { results, choices }: Pick<SetupRun, 'results' | 'choices'>,
  allowPartial: boolean,
): number {
  const wouldAsk = choices.isDryRun && choices.mayAsk;
  const isAmiss = [...results.values()].some(
    ({ state, verification }) =>
      (state === 'unmapped' && !wouldAsk) || verification?.state === 'failed',
  );
  return isAmiss && !allowPartial ? 3 : 0;
}
