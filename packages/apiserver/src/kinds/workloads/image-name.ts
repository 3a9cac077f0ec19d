const HOST = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${HOST}(?:\\.${HOST})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const TAG = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const MAX_NAME = 255;

let reference: RegExp | undefined;

const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * The tag of an image: `latest` when neither tag nor digest is given, '' for a digest without a tag and for text that
 * is no image reference.
 */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return '';
  reference ??= new RegExp(`^(${DOMAIN}/${PART}(?:/${PART})*)(?::(${TAG}))?(?:@(${DIGEST}))?$`);
  const match = reference.exec(normalName(image));
  if (match === null || (match[1] ?? '').length > MAX_NAME) return '';
  const [, , tag = '', digest = ''] = match;
  if (digest !== '' && !isSoundDigest(digest)) return '';
  return tag === '' && digest === '' ? 'latest' : tag;
}

/** Docker's short names stand for names on its own registry. */
function normalName(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isDomain =
    slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  if (!isDomain) return `docker.io/${slash === -1 ? `library/${image}` : image}`;
  const rest = image.slice(slash + 1);
  if (first === 'index.docker.io' || first === 'docker.io') {
    return `docker.io/${rest.includes('/') ? rest : `library/${rest}`}`;
  }
  return image;
}

function isSoundDigest(digest: string): boolean {
  const [algorithm = '', hex = ''] = digest.split(':');
  return digestLengths[algorithm] === hex.length && hex === hex.toLowerCase();
}
