import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import {
  type CertificatePair,
  type ClientRequest,
  issueClientCertificate,
  type Validity,
} from './certificates.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import {
  LIFETIMES,
  loadPki,
  type Pki,
  renew,
  renewServing,
  type ServingCertificate,
  type StoredPki,
  signerAt,
  storedPki,
  trustBundle,
} from './renewal.ts';
import { certifyRequest, type RequestedCertificate } from './sign-request.ts';

/** Often enough that nothing expires unnoticed, whatever the clock does. */
const CHECK_EVERY_MS = 60 * 60_000;
const FORMAT = 1;

/** Where certificates are kept between runs. */
export interface PkiStorage {
  readonly load: () => StoredPki | undefined;
  /** Returns once the state is safe. */
  readonly save: (pki: StoredPki) => void;
}

/** What keeping certificates needs. */
export interface KeeperOptions {
  readonly tenant: string;
  readonly storage: PkiStorage;
  readonly clock: Clock;
  readonly extraHosts?: readonly string[];
  readonly report: (error: unknown) => void;
}

/** Keeps one control plane's authority and serving certificate fresh, for years, without a restart. */
export interface CertificateKeeper extends Disposable {
  readonly serving: () => ServingCertificate;
  /** PEM of all authorities to trust. The same string as long as nothing changes. */
  readonly bundle: () => string;
  readonly issueClient: (
    request: Omit<ClientRequest, keyof Validity> & { lifetimeMs: number },
  ) => CertificatePair;
  /** A certificate for a key whose private half somebody else has; it ends with its authority at the latest. */
  readonly certify: (request: RequestedCertificate) => string;
  /** Calls back after serving certificate or bundle have changed. */
  readonly onChange: (listener: () => void) => void;
  /** From now on the certificate also covers these hosts. */
  readonly setExtraHosts: (hosts: readonly string[]) => void;
  /** Looks at the clock now; happens by itself every hour. */
  readonly check: () => void;
}

/** Opens what is kept, makes what is missing, and watches over it until disposed. */
export function keepCertificates(options: KeeperOptions): CertificateKeeper {
  const { clock, storage, tenant } = options;
  const listeners: (() => void)[] = [];
  let extraHosts = options.extraHosts ?? [];
  const stored = storage.load();
  let pki: Pki = stored === undefined ? { authorities: [], serving: undefined } : loadPki(stored);
  let bundle = '';

  const refresh = (): boolean => {
    const now = clock.now();
    const before = pki;
    const needs = { now, tenant, extraHosts };
    const next = renew(before, needs);
    if (next === before || persist(next)) pki = next;
    // An authority that is not on disk must sign nothing: after a restart nobody would know it.
    // A serving certificate can be made again, so it is used even while the disk is full.
    else pki = renewServing(before, needs);
    const nextBundle = trustBundle(pki, now);
    const changed = pki !== before || nextBundle !== bundle;
    bundle = nextBundle;
    return changed;
  };
  const persist = (next: Pki): boolean => {
    try {
      storage.save(storedPki(next));
      return true;
    } catch (error) {
      // The very first authority must be safe before anyone trusts it.
      if (pki.authorities.length === 0) throw error;
      options.report(error);
      return false;
    }
  };
  const check = (): void => {
    try {
      if (refresh()) for (const listener of listeners) listener();
    } catch (error) {
      options.report(error);
    }
  };

  refresh();
  let cancel: () => void;
  const schedule = (): void => {
    cancel = clock.after(CHECK_EVERY_MS, () => {
      check();
      schedule();
    });
  };
  schedule();
  return {
    serving: () => {
      if (pki.serving === undefined) throw new Error('Cannot serve: there is no certificate');
      return pki.serving;
    },
    bundle: () => bundle,
    issueClient: ({ user, groups, lifetimeMs }) => {
      const now = clock.now();
      const signer = signerAt(pki.authorities, now);
      return issueClientCertificate(signer, {
        user,
        groups,
        notBefore: new Date(now.getTime() - LIFETIMES.backdateMs),
        notAfter: new Date(Math.min(now.getTime() + lifetimeMs, signer.notAfter.getTime())),
      });
    },
    certify: (request) => {
      const now = clock.now();
      return certifyRequest(signerAt(pki.authorities, now), request, now);
    },
    onChange: (listener) => listeners.push(listener),
    setExtraHosts: (hosts) => {
      extraHosts = hosts;
      check();
    },
    check,
    [Symbol.dispose]: () => cancel(),
  };
}

/** Keeps certificates in `pki.json` of a folder that only its owner may read. */
export function pkiFile(folder: string): PkiStorage {
  const path = join(folder, 'pki.json');
  return {
    load: () => {
      const text = readPrivateFile(path);
      if (text === undefined) return undefined;
      const content = parse(path, text);
      if (content.format !== FORMAT) {
        throw new Error(
          `Cannot read "${path}": format ${String(content.format)} is not known here`,
        );
      }
      return { authorities: content.authorities, serving: content.serving };
    },
    save: (pki) =>
      writePrivateFile(path, `${JSON.stringify({ format: FORMAT, ...pki }, null, 2)}\n`),
  };
}

function parse(path: string, text: string): StoredPki & { format?: number } {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Cannot read "${path}": it is damaged`, { cause: error });
  }
}
