// The two servers that the same software runs on.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { REAL_OPTIONS, startOurs } from '../conformance/index.ts';
import type { ComponentServer } from '../tools/real-kubernetes/components.ts';
import { type RealOptions, siteFiles } from '../tools/real-kubernetes/flags.ts';
import { startReal } from '../tools/real-kubernetes/start-real.ts';

/** Which server: a real kube-apiserver, or `flotilla up`. */
export type SideName = 'real' | 'ours';

/**
 * Both, the reference first. FLOTILLA_SIDES=real,real judges a judge: one that sees a difference
 * between two real servers looks at too much.
 */
export const SIDES = (process.env['FLOTILLA_SIDES'] ?? 'real,ours').split(',') as SideName[];

/** The controllers that are part of our server, for a real one that is to do the same. */
export const BUILT_IN: readonly string[] = [
  ...new Set<string>([...REAL_OPTIONS.controllers, 'garbage-collector-controller']),
];

/** A fresh server, and how to reach it as its admin. */
export interface Side extends ComponentServer {
  readonly name: SideName;
  readonly url: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

/** How our server reports a failure that is its own: a judge that saw nothing of it fails too. */
const FAILURE = /^error: .*(\n\s+at .*)*/m;

/** Starts one of the servers; the options are the real one's. */
export async function startSide(name: SideName, options: RealOptions = {}): Promise<Side> {
  if (name === 'ours') {
    const ours = await startOurs();
    const { url, token, ca } = ours.server;
    return {
      name,
      url,
      token,
      ca,
      kubeconfig: ours.kubeconfig,
      stop: async () => {
        await ours[Symbol.asyncDispose]();
        const failure = ours.output().match(FAILURE)?.[0];
        if (failure !== undefined) throw new Error(`Our server reported ${failure}`);
      },
    };
  }
  const { url, token, caFile, kubeconfig, stop } = await startReal(options);
  const { signingKey } = siteFiles(dirname(kubeconfig));
  return { name, url, token, ca: readFileSync(caFile, 'utf8'), kubeconfig, signingKey, stop };
}
