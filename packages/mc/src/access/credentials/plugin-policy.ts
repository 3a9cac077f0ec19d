import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CredentialError, type PluginPolicy, pluginPolicyOfKuberc } from '@flotilla/client';
import { isJsonObject, ParseError, parseYamlDocuments } from '@flotilla/machinery';
import type { Io } from '../../io.ts';

/**
 * Which credential plugins the user's kuberc lets kubectl run (1.35 and later): the same go for us, whoever names them.
 * `KUBERC` names another file, and `off` turns it off. A file that cannot be read, or says something else than it could
 * mean, lets nothing pass.
 */
export async function readPluginPolicy({
  env,
  homeFolder,
}: Pick<Io, 'env' | 'homeFolder'>): Promise<PluginPolicy> {
  const named = env['KUBERC'] ?? '';
  if (named === 'off' || /^(?:false|0)$/i.test(env['KUBECTL_KUBERC'] ?? '')) {
    return { policy: 'AllowAll' };
  }
  const path = named === '' ? join(homeFolder, '.kube', 'kuberc') : named;
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && named === '') return { policy: 'AllowAll' };
    throw new CredentialError(`Cannot read kuberc "${path}": ${message}`);
  }
  try {
    return policyOf(text);
  } catch (error) {
    if (!(error instanceof CredentialError) && !(error instanceof ParseError)) throw error;
    throw new CredentialError(`Cannot use kuberc "${path}": ${error.message}`);
  }
}

/** A kuberc may hold a document for each version of its format; the first that speaks of plugins counts. */
function policyOf(text: string): PluginPolicy {
  const document = parseYamlDocuments(text)
    .map(({ value }) => value)
    .find(
      (value) =>
        isJsonObject(value) &&
        (Object.hasOwn(value, 'credentialPluginPolicy') ||
          Object.hasOwn(value, 'credentialPluginAllowlist')),
    );
  return document === undefined
    ? { policy: 'AllowAll' }
    : pluginPolicyOfKuberc(JSON.stringify(document));
}
