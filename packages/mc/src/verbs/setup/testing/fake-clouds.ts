import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toYaml } from '@flotilla/machinery';
import type { FleetServer } from '../../../testing/fleet-server.ts';
import { offerOf } from '../../../testing/profiles.ts';
import type { TestFleet } from '../../../testing/start-fleet.ts';

/** Command lines of clouds that only a test has; they record how they are called. */
export interface FakeClouds {
  /** For the environment of runs: nothing else of a cloud is on it. */
  readonly path: string;
  /** Every call so far: program and arguments, as one list each. */
  readonly calls: () => string[][];
  /** What KUBECONFIG was in each call. */
  readonly kubeconfigs: () => string[];
  /** Adds a program; `body` is a shell script that knows `$target`, the kubeconfig it is to write to. */
  readonly add: (name: string, body: string) => void;
  /** A shell command that writes a kubeconfig with one context for a server to `$target`, and makes it current. */
  readonly writes: (server: FleetServer, context: string) => string;
}

/** Makes a folder for programs in a fleet's home. */
export function fakeClouds(fleet: Pick<TestFleet, 'homeFolder'>): FakeClouds {
  const folder = join(fleet.homeFolder, 'clouds');
  const log = join(fleet.homeFolder, 'calls');
  mkdirSync(join(folder, 'prepared'), { recursive: true });
  writeFileSync(log, '');
  const lines = (): string[][] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  return {
    path: `${folder}:/usr/bin:/bin`,
    calls: () => lines().map(([, ...words]) => words),
    kubeconfigs: () => lines().map(([kubeconfig = '']) => kubeconfig),
    add: (name, body) => {
      const file = join(folder, name);
      // In one write, so that calls that come at once do not mix. Reading ends at once: nobody is there to answer.
      const record = `printf '%s' "$KUBECONFIG	${name}$(printf '\\t%s' "$@")\n" >> '${log}'`;
      const target = `target=$KUBECONFIG; previous=''; for word in "$@"; do case $previous in --kubeconfig|--file) target=$word;; esac; previous=$word; done`;
      writeFileSync(file, `#!/bin/sh\n${record}\nread -r answer\n${target}\n${body}\n`);
      chmodSync(file, 0o755);
    },
    writes: (server, context) => {
      const prepared = join(folder, 'prepared', context.replaceAll('/', '_'));
      writeFileSync(prepared, kubeconfigOf(server, context));
      return `cp '${prepared}' "$target"`;
    },
  };
}

/** As a cloud's command line would write it. */
export function kubeconfigOf({ server }: FleetServer, context: string): string {
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': context,
    clusters: [offerOf(`cluster-of-${context}`, server.access)],
    users: [{ name: `user-of-${context}`, user: { token: 'admin' } }],
    contexts: [
      {
        name: context,
        context: { cluster: `cluster-of-${context}`, user: `user-of-${context}` },
      },
    ],
  });
}
