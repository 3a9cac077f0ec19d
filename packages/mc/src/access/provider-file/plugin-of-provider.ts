import type { ExecPlugin } from '@flotilla/client';
import { isJsonObject } from '@flotilla/machinery';
import type { AccessOffer } from '../../fleet/cluster.ts';
import { AccessError } from '../access-error.ts';
import { clusterInfo } from '../cluster-info.ts';
import { deniedVariable } from '../trust/environment.ts';
import type { Provider } from './read-provider-file.ts';

const ARGS_EXTENSION = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args';
const ENV_EXTENSION = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs';

/**
 * The command of a provider for one cluster. What the profile adds is taken as far as the user's file allows; the
 * provider itself stays as it is, so that nothing of one cluster reaches the next. Throws AccessError.
 */
export function pluginOfProvider(
  { exec, argsPolicy, envPolicy, name }: Provider,
  offer: AccessOffer,
): ExecPlugin {
  const args =
    argsPolicy === 'Append' ? [...exec.args, ...additionalArgs(offer, name)] : [...exec.args];
  const added = envPolicy === 'Ignore' ? {} : additionalEnv(offer, name);
  const own = Object.fromEntries(exec.env.map(({ name: key, value }) => [key, value]));
  const env = envPolicy === 'Replace' ? { ...own, ...added } : { ...added, ...own };
  return {
    command: exec.command,
    args,
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
    apiVersion: exec.apiVersion,
    interactiveMode: exec.interactiveMode,
    installHint: exec.installHint,
    cluster: exec.provideClusterInfo ? clusterInfo(offer) : undefined,
  };
}

/** A list; or, since the CRD says extensions are objects, one under `args`. */
function additionalArgs(offer: AccessOffer, provider: string): readonly string[] {
  const extension = extensionOf(offer, ARGS_EXTENSION);
  const list = isJsonObject(extension) ? (extension['args'] ?? []) : (extension ?? []);
  if (Array.isArray(list) && list.every((arg) => typeof arg === 'string' && !arg.includes('\0'))) {
    return list as string[];
  }
  throw wrong(provider, ARGS_EXTENSION, 'it is neither a list of strings nor {args: […]}');
}

function additionalEnv(offer: AccessOffer, provider: string): Readonly<Record<string, string>> {
  const extension = extensionOf(offer, ENV_EXTENSION) ?? {};
  const isEnv =
    isJsonObject(extension) &&
    Object.entries(extension).every(
      ([name, value]) =>
        typeof value === 'string' && !value.includes('\0') && name !== '' && !/[=\0]/.test(name),
    );
  if (!isEnv) throw wrong(provider, ENV_EXTENSION, 'it is not an object of strings');
  const denied = deniedVariable(Object.keys(extension));
  if (denied === undefined) return extension as Readonly<Record<string, string>>;
  throw new AccessError(
    `its profile sets the environment variable ${denied} for provider ${provider}, which profiles may not`,
    { status: 'untrusted' },
  );
}

function extensionOf({ extensions }: AccessOffer, name: string): unknown {
  return Object.hasOwn(extensions, name) ? extensions[name] : undefined;
}

function wrong(provider: string, extension: string, state: string): AccessError {
  return new AccessError(
    `Cannot use extension "${extension}" of provider ${provider} in its profile: ${state}`,
  );
}
