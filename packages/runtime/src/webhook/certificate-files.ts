import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { ReadFile } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import type { Logger } from '../observer.ts';
import type { CertificateKeeper } from './certificate-keeper.ts';
import type { CertificatePair } from './certificates.ts';
import { createServingCertificate } from './serving-certificate.ts';

/** Where the files are, and how often they are looked at. */
export interface CertificateFilesOptions {
  /** PEM, the serving certificate first: `tls.crt` of a mounted Secret. */
  readonly certificateFile: string;
  /** PEM, without a passphrase: `tls.key` of a mounted Secret. */
  readonly keyFile: string;
  readonly readFile: ReadFile;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between two looks; the kubelet itself takes up to a minute to bring a change. @default 10,000 */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 10_000;

/**
 * Serves with certificates that somebody else keeps, such as cert-manager in a mounted Secret, who also has to see to
 * it that API servers trust them. The files are read again and again rather than watched: the kubelet replaces a link
 * above them, of which watches tell late or nothing. What cannot be served with is logged, and the last that could be
 * stays.
 */
export function createCertificateFiles(options: CertificateFilesOptions): CertificateKeeper {
  const { certificateFile, keyFile, clock, logger, intervalMs = INTERVAL_MS } = options;
  const serving = createServingCertificate(clock);
  let hasServed = false;

  const look = async (signal: AbortSignal): Promise<void> => {
    const pair = await readMatching(options);
    signal.throwIfAborted();
    if (!serving.use(pair)) return;
    if (hasServed) logger.info('Took over a new webhook certificate', { certificateFile });
    hasServed = true;
  };

  return {
    look,
    prepare: look,
    run: async (signal) => {
      for (;;) {
        try {
          await clock.wait(intervalMs, signal);
          await look(signal);
        } catch (err) {
          if (signal.aborted) return;
          logger.warn('Cannot take over webhook certificates from files', {
            certificateFile,
            keyFile,
            err,
          });
        }
      }
    },
    current: serving.current,
    subscribe: serving.subscribe,
    checks: serving.checks,
  };
}

/** Both files change in one moment, which may lie between the two reads: then a second try finds what belongs together. */
async function readMatching(options: CertificateFilesOptions): Promise<CertificatePair> {
  const first = await readPair(options);
  if (first.isMatching) return first.pair;
  const { isMatching, pair } = await readPair(options);
  if (isMatching) return pair;
  const { certificateFile, keyFile } = options;
  throw new Error(
    `Cannot serve webhooks with "${certificateFile}": the key in "${keyFile}" belongs to another certificate`,
  );
}

async function readPair({
  certificateFile,
  keyFile,
  readFile,
}: CertificateFilesOptions): Promise<{ pair: CertificatePair; isMatching: boolean }> {
  const certificate = await textOf(certificateFile, readFile);
  const key = await textOf(keyFile, readFile);
  const isMatching = certificateOf(certificateFile, certificate).checkPrivateKey(
    keyOf(keyFile, key),
  );
  return { pair: { certificate, key }, isMatching };
}

async function textOf(path: string, readFile: ReadFile): Promise<string> {
  try {
    return Buffer.from(await readFile(path)).toString();
  } catch (cause) {
    throw new Error(`Cannot serve webhooks with "${path}": it cannot be read`, { cause });
  }
}

function certificateOf(path: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new Error(`Cannot serve webhooks with "${path}": it does not begin with a certificate`);
  }
}

function keyOf(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // Without the cause, which might quote the key.
    throw new Error(
      `Cannot serve webhooks with "${path}": it is no private key, or one with a passphrase`,
    );
  }
}
