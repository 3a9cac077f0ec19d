import type { Kubeconfig } from '@flotilla/client';
import { createConclude } from './fan-out/conclude.ts';
import type { Fleet } from './fan-out/fleet.ts';
import type { FleetCluster } from './fleet/cluster.ts';
import type { Io } from './io.ts';
import type { FleetFinder } from './open-fleet.ts';
import type { Paths, Session } from './session.ts';
import type { Settings } from './settings/settings.ts';
import { chooseColours } from './text/colour.ts';
import { printableText } from './text/printable.ts';
import { createProgress } from './text/progress.ts';

/** What a session is made from. */
export interface SessionParts {
  readonly io: Io;
  readonly settings: Settings;
  readonly paths: Paths;
}

/** Makes what a verb works with; nothing is loaded, read or dialled before it is asked for. */
export function createSession(parts: SessionParts): Session {
  const { settings, paths } = parts;
  const progress = createProgress(parts.io, settings.output.progress);
  const { io } = progress;
  const colours = chooseColours(settings.output.color, io).err;
  const warned = new Set<string>();
  const note: Session['note'] = (level, text) => {
    if (settings.verbosity >= level) io.err(`${printableText(text)}\n`);
  };
  const warn: Session['warn'] = (text) => {
    if (warned.has(text)) return;
    warned.add(text);
    io.err(`${colours.warning('Warning:')} ${printableText(text)}\n`);
  };

  const kubeconfig = once(async (): Promise<Kubeconfig> => {
    const { userKubeconfig } = await import('./user-kubeconfig.ts');
    return await userKubeconfig(io, settings.kubectl.kubeconfig);
  });
  const finder = once(async (): Promise<FleetFinder> => {
    const { openFleet } = await import('./open-fleet.ts');
    return openFleet({ io, settings, paths, note, warn, kubeconfig });
  });
  const inventory = once(async (): Promise<readonly FleetCluster[]> => {
    return await (await finder()).inventory();
  });
  const freshInventory = once(async (): Promise<readonly FleetCluster[]> => {
    return await (await finder()).inventory({ forWrites: true });
  });
  return {
    io,
    settings,
    paths,
    note,
    warn,
    kubeconfig,
    inventory,
    chosenNames: async (named) => {
      const chosen = await (await finder()).select(await inventory(), named);
      return chosen.map(({ cluster }) => cluster.name);
    },
    fleet: async (named, options): Promise<Fleet> => {
      const all = options?.forWrites === true ? freshInventory : inventory;
      return await (await finder()).choose(await all(), named);
    },
    fanOut: async (fleet, ask, options) => {
      const { createFanOut } = await import('./fan-out/create-fan-out.ts');
      return await createFanOut({ io, settings, paths, note, warn, progress })(fleet, ask, options);
    },
    conclude: createConclude({ io, settings, colours }),
  };
}

/** Does something when it is first asked for, and never again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return async () => {
    made ??= make();
    return await made;
  };
}
