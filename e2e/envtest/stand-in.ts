import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ASSETS } from './program.ts';

/** One of our stand-ins as its own process; killed when the test is over. */
export interface StandIn extends AsyncDisposable {
  readonly output: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts `kube-apiserver` or `etcd` the way envtest does: by its path. */
export function startStandIn(name: 'kube-apiserver' | 'etcd', flags: readonly string[]): StandIn {
  const child: ChildProcess = spawn(join(ASSETS, name), flags, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: plainEnvironment(),
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    process.off('exit', killAtExit);
    return (code ?? signal) as number | NodeJS.Signals | null;
  });
  return {
    output: () => output,
    kill: (signal) => void child.kill(signal),
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** node:test tells its children to report to it, and NODE_EXTRA_CA_CERTS costs every start 40 ms. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _reports, NODE_EXTRA_CA_CERTS: _slow, ...rest } = process.env;
  return rest;
}

/** An answer, or undefined when nobody is there yet. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: () => any;
}

/** One request over HTTPS. */
export function ask(
  port: number,
  path: string,
  options: RequestOptions & { readonly body?: object } = {},
): Promise<Answer | undefined> {
  const { body, ...rest } = options;
  return new Promise((resolve) => {
    const call = httpsRequest(
      { host: '127.0.0.1', port, path, agent: false, rejectUnauthorized: false, ...rest },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += String(chunk);
        });
        response.on('error', () => {});
        // Also when the answer breaks off.
        response.on('close', () =>
          resolve({ status: response.statusCode ?? 0, text, json: () => JSON.parse(text) }),
        );
      },
    );
    call.on('error', () => resolve(undefined));
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The status of a GET over plain HTTP; undefined when nobody is there yet. */
export function plainStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    httpGet(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', () => resolve(undefined));
  });
}

/** Asks until there is an answer that counts. */
export async function until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const found = await attempt();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error('Cannot wait any longer');
    await delay(10);
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
