import { resolve } from 'node:path';
import { readPluginPolicy } from '../../../access/credentials/plugin-policy.ts';
import { findProviderFile } from '../../../access/provider-file/read-provider-file.ts';
import { readTrustFile } from '../../../access/trust/trust-file.ts';
import type { Session } from '../../../session.ts';
import { readMapping, unknownMappingFields } from '../../../settings/mapping-file.ts';
import { configOf, ofEnvironment } from '../../../settings/read-settings.ts';
import { type Check, type CheckResult, failed, ok, warn } from '../check.ts';
import { ownFile, PRIVATE, UNTOUCHED } from './own-file.ts';

/** The files of this machine: whether they can be read, what in them nobody knows, and who else may change them. */
export async function checkFiles(session: Session): Promise<Check[]> {
  const { paths, io } = session;
  const looks: readonly (readonly [string, () => Promise<readonly CheckResult[]>, string])[] = [
    [
      'config',
      () => config(paths.config),
      'correct the file; kubectl mc config view shows the keys',
    ],
    ['environment', () => environment(io), 'correct the variable, or unset it'],
    ['mapping', () => mapping(paths.mapping), REDO_MAPPING],
    ['trust', () => trust(paths.trust), 'correct the file, or remove it to be asked again'],
    ['kubeconfig', () => kubeconfig(session), 'correct the file'],
    ['providers', () => providers(session), 'correct the file'],
    ['kuberc', () => kuberc(io), 'correct the file: until then no credential plugin runs'],
  ];
  const checks: Check[] = [];
  for (const [subject, look, advice] of looks) {
    const results = await look().catch((error: unknown) => [failed(error, advice)]);
    for (const result of results) checks.push({ kind: 'file', subject, ...result });
  }
  return checks;
}

const REDO_MAPPING = 'correct the file, or remove it and run kubectl mc setup';

async function config(path: string): Promise<CheckResult[]> {
  const { warnings } = await configOf(path);
  const mode = await ownFile(path, {
    forbidden: UNTOUCHED,
    danger: 'others can allow commands in it',
  });
  return [
    ...(mode === undefined ? [] : [mode]),
    ...warnings.map((text) => warn(text, 'correct the name, or remove it')),
  ];
}

/** Says nothing where the environment says nothing wrong. */
async function environment(io: Session['io']): Promise<CheckResult[]> {
  ofEnvironment(io);
  return [];
}

async function mapping(path: string): Promise<CheckResult[]> {
  await readMapping(path);
  const mode = await ownFile(path, {
    forbidden: PRIVATE,
    danger: 'others can see or change where your commands go',
  });
  const unknown = await unknownMappingFields(path);
  const said = `Mapping file "${path}": nobody knows ${unknown.join(', ')}`;
  return [
    ...(mode === undefined ? [] : [mode]),
    ...(unknown.length === 0 ? [] : [warn(said, 'correct the names, or remove them')]),
  ];
}

/** Modes are its reader's own business: it does not believe a file that others can write. */
async function trust(path: string): Promise<CheckResult[]> {
  const entries = await readTrustFile(path);
  if (entries === undefined) return [];
  return [ok(`${path}, ${counted(entries.length, 'command')}`)];
}

async function kubeconfig(session: Session): Promise<CheckResult[]> {
  const { files, missing, contexts } = await session.kubeconfig();
  const there = files.filter((file) => !missing.includes(file));
  if (there.length === 0) {
    const advice = 'fetch the kubeconfig of your hub, and name it with KUBECONFIG or --kubeconfig';
    return [warn(`there is none: ${files.join(', ')}`, advice)];
  }
  const results = await Promise.all(
    there.map((file) =>
      ownFile(resolve(session.io.cwd, file), {
        forbidden: PRIVATE,
        danger: 'others can see or change your credentials',
      }),
    ),
  );
  return results
    .filter((each) => each !== undefined)
    .map((each) =>
      each.status === 'OK'
        ? ok(`${each.detail}, ${counted(contexts.size, 'context')} in all`)
        : each,
    );
}

async function providers({ settings, io }: Session): Promise<CheckResult[]> {
  const found = await findProviderFile(settings.access.providerFile, io.homeFolder);
  if (found === undefined) return [];
  const mode = await ownFile(found.path, {
    forbidden: UNTOUCHED,
    danger: 'others can change the commands in it',
  });
  if (mode !== undefined && mode.status !== 'OK') return [mode];
  return [ok(`${found.path}, ${counted(found.providers.length, 'provider')}`)];
}

async function kuberc(io: Session['io']): Promise<CheckResult[]> {
  const { policy } = await readPluginPolicy(io);
  return policy === 'AllowAll' ? [] : [ok(`its policy for credential plugins is ${policy}`)];
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
