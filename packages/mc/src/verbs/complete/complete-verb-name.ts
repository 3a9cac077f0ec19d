import { type Completion, words } from './completion.ts';

/** Verbs with what they are for; behind the first word of some, their second words. */
export async function completeVerbName(parent: string | undefined): Promise<Completion> {
  const { verbs } = await import('../table.ts');
  const names = Object.keys(verbs).filter((name) => !name.startsWith('_'));
  const first = (name: string): string => name.split(' ')[0] ?? '';
  const meant = parent === undefined ? names : names.filter((name) => first(name) === parent);
  const candidates = await Promise.all(
    meant.map(async (name) => {
      const isOne = parent === undefined && !name.includes(' ');
      if (parent === undefined && !isOne) return { value: first(name) };
      const value = parent === undefined ? name : name.slice(parent.length + 1);
      return { value, description: (await verbs[name]?.())?.summary };
    }),
  );
  const help = { value: 'help', description: 'Help for a command' };
  const options = { value: 'options', description: 'The flags that every verb has' };
  return words(parent === undefined ? [...candidates, help, options] : candidates);
}
