// Writes the golden kubeconfigs into a folder, their placeholders filled in: ports of this run, certificates made for it.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createAuthority,
  issueClientCertificate,
  issueServingCertificate,
} from '../../packages/apiserver/src/authn/certificates.ts';

const SOURCE = join(FLOTILLA_ROOT, 'e2e', 'kubeconfig');

/** Certificates of one run. */
export function makeCertificates() {
  const notBefore = new Date(Date.now() - 3_600_000);
  const notAfter = new Date(Date.now() + 24 * 3_600_000);
  const authority = createAuthority('golden-ca', { notBefore, notAfter });
  const hosts = ['127.0.0.1', 'localhost', 'kubernetes.default.svc'];
  const client = (user: string) =>
    issueClientCertificate(authority, { user, groups: ['system:masters'], notBefore, notAfter });
  return {
    authority,
    serving: issueServingCertificate(authority, {
      commonName: 'golden',
      hosts,
      notBefore,
      notAfter,
    }),
    client: client('golden-admin'),
    other: client('other'),
  };
}

/** An ID token that expires so many seconds from now. */
export function makeIdToken(expiresAfter: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + expiresAfter;
  return `${part({ alg: 'RS256' })}.${part({ sub: 'jane', exp })}.c2lnbmF0dXJl`;
}

/** Fills a folder with golden kubeconfigs, the files and the plugins they name. */
export function prepareGolden(
  folder: string,
  certificates: ReturnType<typeof makeCertificates>,
  values: Readonly<Record<string, string>>,
): void {
  const { authority, client, other } = certificates;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const all: Readonly<Record<string, string>> = {
    FOLDER: folder,
    CA_DATA: base64(authority.certificate),
    CERT_DATA: base64(client.certificate),
    KEY_DATA: base64(client.key),
    OTHER_KEY_DATA: base64(other.key),
    ...values,
  };
  for (const name of goldenFiles()) {
    const target = join(folder, name);
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(SOURCE, 'golden', name), 'utf8');
    writeFileSync(
      target,
      text.replace(/\$\{(\w+)\}/g, (_, key: string) => all[key] ?? `missing-${key}`),
    );
  }
  for (const where of ['', 'broken']) {
    const certs = join(folder, where, 'certs');
    mkdirSync(certs, { recursive: true });
    writeFileSync(join(certs, 'ca.crt'), authority.certificate);
    writeFileSync(
      join(certs, 'bundle.crt'),
      `A bundle\n${other.certificate}\n${authority.certificate}`,
    );
    writeFileSync(join(certs, 'client.crt'), client.certificate);
    writeFileSync(join(certs, 'client.key'), client.key);
    writeFileSync(join(certs, 'token'), '  token-from-file\n');
  }
  cpSync(join(SOURCE, 'plugins'), join(folder, 'bin'), { recursive: true });
  for (const plugin of readdirSync(join(folder, 'bin'))) {
    chmodSync(join(folder, 'bin', plugin), 0o755);
  }
}

/** Every golden kubeconfig, by its path below the folder. */
export function goldenFiles(): string[] {
  const list = (below: string): string[] =>
    readdirSync(join(SOURCE, 'golden', below), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? list(join(below, entry.name)) : [join(below, entry.name)],
    );
  return list('').sort();
}
