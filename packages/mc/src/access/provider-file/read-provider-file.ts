import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { getOwn, isJsonObject, ParseError, parseYaml } from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/** One entry of an upstream provider file: the user's own command for the profiles that offer a provider of that name. */
export interface Provider {
  readonly name: string;
  readonly exec: ProviderExec;
  /** What becomes of arguments that a profile would like to add. */
  readonly argsPolicy: 'Append' | 'Ignore';
  readonly envPolicy: 'AppendIfNotExists' | 'Replace' | 'Ignore';
}

/** The command of a provider, as it stands in the file. */
export interface ProviderExec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly apiVersion: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint?: string | undefined;
  readonly provideClusterInfo: boolean;
}

/** The user's providers, in the order of their file. */
export interface ProviderFile {
  readonly path: string;
  readonly providers: readonly Provider[];
}

/** Where the file is looked for when nobody names one. */
export const USUAL_FILES = ['clusterprofile-providers.json', 'clusterprofile-providers.yaml'];

/**
 * Reads the file of `path`, which must exist, else the first usual one below `~/.kube`; undefined when there is none.
 * Throws UsageError: it is the user's own file.
 */
export async function findProviderFile(
  path: string | undefined,
  homeFolder: string,
): Promise<ProviderFile | undefined> {
  if (path !== undefined) return readProviderFile(await readText(path), path);
  for (const name of USUAL_FILES) {
    const usual = join(homeFolder, '.kube', name);
    try {
      return readProviderFile(await readFile(usual, 'utf8'), usual);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const state = code === 'ENOENT' ? 'no such file' : (error as Error).message;
    throw new UsageError(`Cannot read provider file "${path}": ${state}`, { cause: error });
  }
}

/** Reads the text of a provider file, JSON or YAML; unknown fields are upstream's to add. */
export function readProviderFile(text: string, path: string): ProviderFile {
  const fail = (state: string) => new UsageError(`Cannot use provider file "${path}": ${state}`);
  let value: unknown;
  try {
    ({ value } = parseYaml(text));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw fail(error.message);
  }
  const list = isJsonObject(value) ? (getOwn(value, 'providers') ?? []) : undefined;
  if (!Array.isArray(list)) throw fail('it is not an object with a list of providers');
  const providers = list.map((item, index) => {
    try {
      return providerOf(item, dirname(path));
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      throw fail(`providers[${index}]${error.message}`);
    }
  });
  return { path, providers };
}

class FieldProblem extends Error {}

function providerOf(item: unknown, folder: string): Provider {
  if (!isJsonObject(item)) throw new FieldProblem(' is not an object');
  const exec = getOwn(item, 'execConfig') ?? undefined;
  const name = text(item, 'name', '');
  if (name === '') throw new FieldProblem('.name is missing');
  if (!isJsonObject(exec)) throw new FieldProblem('.execConfig is missing or not an object');
  return {
    name,
    exec: execOf(exec, folder),
    argsPolicy: choice(item, 'profileSourcedCLIArgsPolicy', ['Ignore', 'Append']),
    envPolicy: choice(item, 'profileSourcedEnvVarsPolicy', [
      'Ignore',
      'AppendIfNotExists',
      'Replace',
    ]),
  };
}

function execOf(exec: Record<string, unknown>, folder: string): ProviderExec {
  const place = '.execConfig';
  const command = text(exec, 'command', place);
  if (command === '') throw new FieldProblem(`${place}.command is missing`);
  const apiVersion = text(exec, 'apiVersion', place);
  if (apiVersion === '') throw new FieldProblem(`${place}.apiVersion is missing`);
  const installHint = text(exec, 'installHint', place);
  const provides = getOwn(exec, 'provideClusterInfo') ?? false;
  if (typeof provides !== 'boolean') {
    throw new FieldProblem(`${place}.provideClusterInfo is neither true nor false`);
  }
  return {
    // As in kubeconfigs: with a separator it is a path, relative to the file it stands in.
    command: /[\\/]/.test(command) && !isAbsolute(command) ? join(folder, command) : command,
    args: argsOf(exec),
    env: envOf(exec),
    apiVersion,
    // Upstream forces Never; here a person may be there, but only the file can say so.
    interactiveMode: choice(exec, 'execConfig.interactiveMode', ['Never', 'IfAvailable', 'Always']),
    provideClusterInfo: provides,
    ...(installHint === '' ? {} : { installHint }),
  };
}

function argsOf(exec: Record<string, unknown>): readonly string[] {
  const args = getOwn(exec, 'args') ?? [];
  if (Array.isArray(args) && args.every((arg) => typeof arg === 'string')) return args;
  throw new FieldProblem('.execConfig.args is not a list of strings');
}

function envOf(exec: Record<string, unknown>): ProviderExec['env'] {
  const env = getOwn(exec, 'env') ?? [];
  const wrong = new FieldProblem('.execConfig.env is not a list of names and values');
  if (!Array.isArray(env)) throw wrong;
  return env.map((item: unknown) => {
    const name = isJsonObject(item) ? getOwn(item, 'name') : undefined;
    const value = isJsonObject(item) ? (getOwn(item, 'value') ?? '') : undefined;
    if (typeof name !== 'string' || name === '' || typeof value !== 'string') throw wrong;
    return { name, value };
  });
}

function text(object: Record<string, unknown>, field: string, place: string): string {
  const value = getOwn(object, field) ?? '';
  if (typeof value !== 'string') throw new FieldProblem(`${place}.${field} is not a string`);
  return value;
}

/** One of the choices; the first when nothing is said. The field is the last part of its path. */
function choice<const T extends string>(
  object: Record<string, unknown>,
  path: string,
  choices: readonly [T, ...T[]],
): T {
  const value = getOwn(object, path.split('.').at(-1) ?? '') ?? '';
  if (value === '') return choices[0];
  const found = choices.find((each) => each === value);
  if (found === undefined) throw new FieldProblem(`.${path} is none of ${choices.join(', ')}`);
  return found;
}
