import { readFileSync } from 'node:fs';
import { VERSION } from '../version.ts';
import { helpText } from './help.ts';
import { readFlags } from './read-flags.ts';

const KUBERNETES = 'v1.34.4+flotilla';
/** Longer than requests under way are given. */
const STOPPED_WITHIN_MS = 10_000;

const given = readFlags(process.argv.slice(2));
if (given.wantsHelp) process.stdout.write(helpText());
else if (given.wantsVersion) {
  process.stdout.write(`Kubernetes ${KUBERNETES} (Flotilla ${VERSION}, not kube-apiserver)\n`);
} else {
  try {
    await serve();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function serve(): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const stopping = new Promise<void>((resolve) => {
    let signals = 0;
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        signals += 1;
        if (signals > 1) process.exit(name === 'SIGINT' ? 130 : 143);
        resolve();
      });
    }
  });
  // Help and version come without all this.
  const [{ serverConfig }, { ensureServingPair, startCompatible }] = await Promise.all([
    import('./config.ts'),
    import('@flotilla/apiserver'),
  ]);
  const config = serverConfig(given, (path) => readFileSync(path, 'utf8'));
  if (given.ignored.length > 0) {
    say(`Ignoring flags that mean nothing here: --${given.ignored.join(', --')}`);
  }
  const { certificateFolder: folder, serving, host, advertiseAddress } = config;
  const hosts = [host, advertiseAddress].filter(
    (each): each is string => each !== undefined && each !== '0.0.0.0' && each !== '::',
  );
  const server = await startCompatible({
    ...config,
    serving: serving ?? ensureServingPair({ folder, hosts, now: new Date() }),
    log: say,
  });
  say(`Flotilla ${VERSION} serves the Kubernetes API (${server.version}) at ${server.url}`);
  await stopping;
  // Timers of the server keep no process alive; while it stops, they may be all there is.
  const hold = setTimeout(() => {}, STOPPED_WITHIN_MS);
  await server.stop();
  clearTimeout(hold);
}
