import { ParseError, parseYaml } from '@flotilla/machinery';
import type { KubeconfigEntries } from './kubeconfig.ts';
import { entriesOf } from './kubeconfig-entries.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

/**
 * Reads the text of one kubeconfig as kubectl does: YAML or JSON, unknown fields and keys that stand twice ignored, an
 * empty text an empty configuration. Throws KubeconfigError in kubectl's words.
 */
export function decodeKubeconfig(text: string | Uint8Array): KubeconfigEntries {
  return entriesOf(yamlValue(text));
}

function yamlValue(text: string | Uint8Array): unknown {
  try {
    return parseYaml(text).value;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new KubeconfigError(error.message);
  }
}
