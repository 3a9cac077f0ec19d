import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { namedCommand } from './help-hint.ts';

test('the command that was meant is found among its flags and arguments', () => {
  const program = new Command('flotilla');
  program.command('up');
  const cluster = program.command('cluster');
  cluster.command('list').alias('ls');
  cluster.command('labels').command('add');

  for (const [args, expected] of [
    [[], 'flotilla'],
    [['up', '--port', 'x'], 'flotilla up'],
    [['cluster', '--kubeconfig', 'file', 'ls', '-o', 'x'], 'flotilla cluster list'],
    [['cluster', 'labels', 'add', 'west', 'a'], 'flotilla cluster labels add'],
  ] as const) {
    assert.equal(namedCommand(program, args), expected);
  }
});
