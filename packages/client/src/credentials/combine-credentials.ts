import type { Credential, Presented } from '../access.ts';

/** Presents what all of them present, as kubectl sends a certificate and a token at once. */
export function combineCredentials(parts: readonly Credential[]): Credential {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return {
    present: async (signal) => {
      const all = await Promise.all(parts.map(({ present }) => present(signal)));
      return Object.assign({}, ...all) as Presented;
    },
    refused: async (rejected, signal) => {
      const answers = await Promise.all(parts.map(({ refused }) => refused(rejected, signal)));
      return answers.includes(true);
    },
  };
}

/** Whether two forms of a credential prove the same. */
export function isSamePresented(a: Presented, b: Presented): boolean {
  return (
    a.authorization === b.authorization &&
    a.certificate?.cert === b.certificate?.cert &&
    a.certificate?.key === b.certificate?.key
  );
}
