import { hasCertificateShape } from './certificate-shape.ts';
import { CredentialError } from './credential-error.ts';

/** One `-----BEGIN …-----` of a PEM text. */
export interface PemBlock {
  readonly type: string;
  readonly bytes: Buffer;
  /** The block by itself. */
  readonly text: string;
  /** Whether it has headers, such as those of a key with a passphrase. */
  readonly hasHeaders: boolean;
  readonly isEncrypted: boolean;
}

const BEGIN = /-----BEGIN ([A-Z0-9 ]{1,40})-----[ \t]*\r?\n/g;
/** Beginnings without an end that are looked past, each at the price of one search through the rest of the text. */
const MAX_UNENDED = 16;
const HEADERS = /^(?:[A-Za-z-]+:[^\n]*\n)+\s*/;

/** The blocks of a PEM text; what stands between them is skipped, and so are blocks that are not base64. */
export function pemBlocks(text: string): PemBlock[] {
  return enclosed(text).flatMap(({ whole, type, content }) => {
    const headers = HEADERS.exec(content)?.[0] ?? '';
    const body = content.slice(headers.length).replace(/\s/g, '');
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return [];
    return [
      {
        type,
        bytes: Buffer.from(body, 'base64'),
        text: `${whole}\n`,
        hasHeaders: headers !== '',
        isEncrypted: /^Proc-Type:.*ENCRYPTED/m.test(headers),
      },
    ];
  });
}

/** What stands between a beginning and its end. By hand, because a pattern takes minutes for a MiB of beginnings alone. */
function enclosed(text: string): { whole: string; type: string; content: string }[] {
  const found: { whole: string; type: string; content: string }[] = [];
  const unended = new Set<string>();
  const begin = new RegExp(BEGIN);
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const { 0: head, 1: type = '', index } = match;
    const start = index + head.length;
    const end = unended.has(type) ? -1 : text.indexOf(`-----END ${type}-----`, start);
    if (end < 0) {
      unended.add(type);
      if (unended.size > MAX_UNENDED) return found;
      continue;
    }
    const after = end + `-----END ${type}-----`.length;
    found.push({ whole: text.slice(index, after), type, content: text.slice(start, end) });
    begin.lastIndex = after;
  }
  return found;
}

/**
 * The certificates of an authority bundle, without what else is in it. There must be at least one; what is none is left
 * out, as kubectl leaves it out. Whoever passes them on, instead of having OpenSSL read them, looks closer.
 */
export function authoritiesOf(
  bundle: string,
  isCertificate: (der: Buffer) => boolean = hasCertificateShape,
): string {
  const blocks = pemBlocks(bundle);
  if (blocks.length === 0) {
    throw new CredentialError(
      'unable to load root certificates: unable to parse bytes as PEM block',
    );
  }
  const certificates = blocks.filter((block) => block.type === 'CERTIFICATE' && !block.hasHeaders);
  const readable = certificates.filter(({ bytes }) => isCertificate(bytes));
  if (readable.length > 0) return readable.map(({ text }) => text).join('');
  throw new CredentialError(
    certificates.length > 0
      ? 'unable to load root certificates: failed to parse certificate: x509: malformed certificate'
      : 'unable to load root certificates: no valid certificate authority data seen',
  );
}
