import { basename } from 'node:path';
import type { ExecPlugin } from '@flotilla/client';
import type { AccessOffer } from '../../fleet/cluster.ts';
import { printableLine } from '../../text/printable.ts';
import { AccessError } from '../access-error.ts';
import { clusterInfo } from '../cluster-info.ts';
import { type ExecProposal, readExecProperties } from '../properties/exec-properties.ts';
import type { RoutingDeps } from '../routing-deps.ts';
import { commandText } from '../trust/command-text.ts';
import { type JudgeDeps, judgeCommand } from '../trust/judge-command.ts';
import type { Way } from '../way.ts';
import { profileRoute } from './profile-route.ts';

/** The commands that profiles name themselves (`auth.exec.*`), each only after it was judged. */
export function propertiesWay(deps: RoutingDeps, isTrusted: JudgeDeps['isTrusted']): Way {
  const { allowedCommands, builtinTemplates } = deps.settings.access;
  return async (cluster) => {
    const proposal = readExecProperties(cluster.properties);
    if (proposal === undefined) return undefined;
    const [offer] = cluster.offers;
    if (offer === undefined) {
      throw new AccessError(
        'its profile names a command to log in with, but no server to log in to',
      );
    }
    const verdict = await judgeCommand(proposal, { allowedCommands, builtinTemplates, isTrusted });
    if (typeof verdict === 'object') {
      throw new AccessError(
        `its profile wants to run ${commandText(proposal)}, which is never run: ${verdict.refused}`,
        { status: 'untrusted' },
      );
    }
    const source = `properties (${printableLine(basename(proposal.command))})`;
    const plugin = pluginOf(proposal, offer);
    const route = profileRoute(cluster, { offer, kind: 'properties', source, plugin }, deps);
    if (verdict === 'trusted') return { route };
    return { untrusted: proposal, cluster, server: offer.server, whenTrusted: route };
  };
}

function pluginOf(proposal: ExecProposal, offer: AccessOffer): ExecPlugin {
  const { command, args, env, apiVersion, interactiveMode, installHint } = proposal;
  return {
    command,
    args,
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    apiVersion,
    interactiveMode,
    installHint,
    cluster: proposal.provideClusterInfo ? clusterInfo(offer) : undefined,
  };
}
