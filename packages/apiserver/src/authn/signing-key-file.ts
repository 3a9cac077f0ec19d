import { createSigningKey, loadSigningKey, type SigningKey } from './jwt.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** The keys kept in a file, the one that signs first; a key is made when there is none. */
export function ensureSigningKeys(path: string): SigningKey[] {
  const blocks =
    readPrivateFile(path)?.match(/-----BEGIN [\w ]+-----[\s\S]*?-----END [\w ]+-----\n?/g) ?? [];
  if (blocks.length > 0) return blocks.map(loadSigningKey);
  return save(path, [createSigningKey()]);
}

/** Puts a new key in front. The others go on verifying what they have signed. */
export function addSigningKey(path: string): SigningKey[] {
  return save(path, [createSigningKey(), ...ensureSigningKeys(path)]);
}

function save(path: string, keys: SigningKey[]): SigningKey[] {
  writePrivateFile(path, keys.map((key) => key.pem).join(''));
  return keys;
}
