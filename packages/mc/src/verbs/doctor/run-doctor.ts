import { openFleet } from '../../open-fleet.ts';
import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { unexpectedArguments } from '../kubectl-errors.ts';
import type { Check } from './check.ts';
import { checkClusters, INVENTORY } from './checks/clusters.ts';
import { checkFiles } from './checks/files.ts';
import { checkHubs } from './checks/hubs.ts';
import { checkPlugins } from './checks/plugins.ts';
import { checkPrograms } from './checks/programs.ts';
import { checkTable, exitCode } from './report.ts';

/** Looks at everything, from the files on this machine to the clusters; what is wrong early does not hide the rest. */
export async function runDoctor({ args, flags }: Call, session: Session): Promise<number> {
  if (args.length > 0) throw unexpectedArguments('doctor', args);
  const { io, settings } = session;
  const finder = openFleet({ ...session, mayAsk: false });
  const files = await checkFiles(session);
  const programs = await checkPrograms(io);
  const hubs = await checkHubs(finder.deps);
  io.signal.throwIfAborted();
  const clusters = await checkClusters(finder, session);
  const plugins = await checkPlugins({ fleet: clusters.fleet, hubs: hubs.hubs }, io);
  io.signal.throwIfAborted();

  const checks = eachOnce([...files, ...programs, ...hubs.checks, ...plugins, ...clusters.checks]);
  const format = flags.text('output');
  if (format === 'json') await io.out(`${JSON.stringify({ checks }, undefined, 2)}\n`);
  else if (format === 'yaml') {
    const { toYaml } = await import('../../text/yaml.ts');
    await io.out(toYaml({ checks }));
  } else await io.out(checkTable(checks, !flags.bool('no-headers')));
  return exitCode(checks, settings.execution.allowPartial);
}

/** A file that is broken, or a hub that is down, also ends what needs it: that is told where it was found first. */
function eachOnce(checks: readonly Check[]): Check[] {
  const told = new Set<string>();
  return checks.filter(({ kind, subject, status, detail }) => {
    const isRepeated = told.has(detail) && (kind === 'hub' || subject === INVENTORY);
    if (status === 'FAIL') told.add(detail);
    return !isRepeated;
  });
}
