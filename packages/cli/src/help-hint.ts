import type { Command } from 'commander';

/** The part of a command that its help is found by. */
type Named = Pick<Command, 'name' | 'aliases' | 'commands'>;

/** The command that a command line names, such as `flotilla cluster join`; its flags and arguments are left out. */
export function namedCommand(program: Named, args: readonly string[]): string {
  const path = [program.name()];
  let current: Named = program;
  for (const arg of args) {
    const next = current.commands.find(
      (each) => each.name() === arg || each.aliases().includes(arg),
    );
    if (next === undefined) continue;
    path.push(next.name());
    current = next;
  }
  return path.join(' ');
}
