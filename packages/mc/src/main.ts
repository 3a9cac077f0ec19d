// The process around run(): streams, signals and the exit code. Verbs are listed in verbs/table.ts.
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { systemClock } from '@flotilla/machinery';
import { createAsk } from './create-ask.ts';
import { BrokenPipe, Interrupted, type Io } from './io.ts';
import { run } from './run.ts';

const stop = new AbortController();

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'ECONNRESET') stop.abort(new BrokenPipe());
  else void fail(new Error(`Cannot write the output: ${error.message}`));
});
// Nobody reads what went wrong; what was asked for may still be read.
process.stderr.on('error', () => {});

let signals = 0;
for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(name, () => {
    signals += 1;
    if (signals > 1) process.exit(code);
    stop.abort(new Interrupted(code));
  });
}

const io: Io = {
  out,
  outBytes: out,
  err: (text) => void process.stderr.write(text),
  // Only who asks for it opens it.
  get stdin() {
    return process.stdin;
  },
  env: process.env,
  homeFolder: process.env['HOME'] || homedir(),
  cwd: process.cwd(),
  clock: systemClock,
  // Spreads retries; nothing secret comes of it. Cryptography is slow to load, and few runs get this far.
  random: () => process.getBuiltinModule('node:crypto').randomInt(2 ** 47) / 2 ** 47,
  signal: stop.signal,
  terminal: { out: isatty(1), err: isatty(2), in: isatty(0) },
  columns: process.stdout.columns ?? 80,
  self: process.argv.slice(0, 2),
  ask: createAsk({
    input: () => process.stdin,
    output: process.stderr,
    signal: stop.signal,
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
  }),
};

process.on('uncaughtException', (error) => void fail(error));
process.on('unhandledRejection', (error) => void fail(error));

// No await at the top: it would tie the form in which this is shipped to ES modules.
void run(process.argv.slice(2), io).then((code) => {
  // Connections that are kept for a next request would hold the process; what is written must be out, though.
  process.exitCode = code;
  process.stdout.write('', () => process.exit(code));
}, fail);

async function out(text: string | Uint8Array): Promise<void> {
  if (stop.signal.reason instanceof BrokenPipe || text.length === 0) return;
  if (process.stdout.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      process.stdout.off('drain', done);
      stop.signal.removeEventListener('abort', done);
      resolve();
    };
    process.stdout.on('drain', done);
    stop.signal.addEventListener('abort', done);
  });
}

async function fail(error: unknown): Promise<void> {
  const { reportError } = await import('./report-error.ts');
  process.exit(reportError(error, io));
}
