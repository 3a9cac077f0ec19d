import { toYaml } from '@flotilla/machinery';
import type { Session } from '../../session.ts';
import type { ConfigValues } from '../../settings/config-keys.ts';
import { configOf, ofEnvironment } from '../../settings/read-settings.ts';
import { shownSettings } from '../../settings/show-settings.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';

/** Prints the settings as a config file that would make them. */
export async function viewConfig({ args, flags }: Call, session: Session): Promise<number> {
  if (args.length > 0) throw new UsageError(`extra arguments: [${args.join(' ')}]`);
  const { io, settings, paths } = session;
  const file = await configOf(paths.config);
  const values = { ...file.values, ...ofEnvironment(io) };
  const kept = values['safety.protected'] ?? [];
  const setup = setupOf(values);
  const shown = {
    ...shownSettings(settings, file.groups, kept),
    ...(Object.keys(setup).length === 0 ? {} : { setup }),
  };
  await io.out(
    flags.text('output') === 'json' ? `${JSON.stringify(shown, undefined, 2)}\n` : toYaml(shown),
  );
  return 0;
}

/** What setup alone reads. */
function setupOf(values: ConfigValues): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      key.startsWith('setup.') ? [[key.slice('setup.'.length), value]] : [],
    ),
  );
}
