import { basename, dirname, isAbsolute } from 'node:path';
import { lookPathIn } from '@flotilla/client';
import { installHintOf } from '../../../access/credentials/install-hints.ts';
import type { Fleet } from '../../../fan-out/fleet.ts';
import type { Hub } from '../../../inventory/hub.ts';
import type { Io } from '../../../io.ts';
import { type Check, fail, ok } from '../check.ts';

const FEW = 5;

/** Whoever may need a command to be logged in to. */
export interface PluginUsers {
  readonly fleet: Fleet | undefined;
  readonly hubs: readonly Pick<Hub, 'command' | 'title'>[];
}

/** The commands by which hubs and clusters are logged in to: each must be there. */
export async function checkPlugins(
  { fleet, hubs }: PluginUsers,
  { env }: Pick<Io, 'env'>,
): Promise<Check[]> {
  const users = new Map<string, string[]>();
  const add = (command: string | undefined, user: string): void => {
    if (command !== undefined) users.set(command, [...(users.get(command) ?? []), user]);
  };
  for (const { command, title } of hubs) add(command, `the hub (${title})`);
  for (const { cluster, routing } of fleet?.clusters ?? []) {
    add('route' in routing ? routing.route.command : undefined, cluster.name);
  }
  return await Promise.all(
    [...users].map(async ([command, names]): Promise<Check> => {
      const path = await find(command, env['PATH'] ?? '');
      const more = names.length > FEW ? ` and ${names.length - FEW} more` : '';
      const who = `${names.slice(0, FEW).join(', ')}${more}`;
      const result =
        path === undefined
          ? fail(
              `${isPath(command) ? 'not there' : 'not on PATH'}, needed for ${who}`,
              hint(command),
            )
          : ok(`${path}, for ${who}`);
      return { kind: 'plugin', subject: command, ...result };
    }),
  );
}

/** A path is what it says, whether or not there is anything. */
async function find(command: string, path: string): Promise<string | undefined> {
  if (!isPath(command)) return await lookPathIn(path)(command);
  return isAbsolute(command) ? await lookPathIn(dirname(command))(basename(command)) : undefined;
}

function isPath(command: string): boolean {
  return /[\\/]/.test(command);
}

function hint(command: string): string {
  return installHintOf(command, undefined);
}
