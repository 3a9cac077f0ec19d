// Replaces what two equal servers may answer differently: identities, times, revisions, generated
// names and allocated addresses. Everything else stays as it came, so that it is compared exactly.

/** Turns one server's answers of one case into the form that is compared. */
export interface Normaliser {
  readonly value: (value: unknown) => unknown;
  readonly text: (text: string) => string;
  /** From now on `literal` is written as `symbol`, also inside longer texts. */
  readonly replace: (literal: string, symbol: string) => void;
  /** From now on what a server makes of this generateName is written the same for all. */
  readonly generated: (prefix: string) => void;
}

type Mapping = Record<string, unknown>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const JWT = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/;
const PEM = /-----BEGIN ([A-Z ]+)-----[^-]+-----END [A-Z ]+-----\n?/g;
// The letters and digits of generated names: no vowels, so that no words arise.
const GENERATED = '[bcdfghjklmnpqrstvwxz2456789]{5}';
const AGE = /^(\d+[smhdy]){1,2}$/;
// Restarts are shown with the time since the last one, which grows with every day.
const AGE_IN_CELL = /\((?:\d+[smhdy]){1,2} ago\)/;
const NODE_PORT_CELL = /:3[0-2]\d{3}\//g;
// Both sides give Services addresses out of this range.
const CLUSTER_IP = /\b10\.0\.\d{1,3}\.\d{1,3}\b/g;
// A server's own settings and builds, which are no part of what is compared.
const OWN_TEXTS: readonly [RegExp, string][] = [
  [/https:\/\/kubernetes\.default\.svc(\.cluster\.local)?/g, '<issuer>'],
  [/https:\/\/[^/]+\/openid/, 'https://<server>/openid'],
  [/(\?hash=)[0-9A-F]+/g, '$1<hash>'],
  [/(in scheme \\*")[\w/.:]+/g, '$1<scheme>'],
  // An object quoted in a message.
  [/,\\*"managedFields\\*":\[.*?\]/g, ''],
];
const REVISION_TEXTS = [
  /(current: )\d+/g,
  /(ResourceVersion in (?:precondition|object meta): )\d+/g,
  /(too old resource version: \d+ \()\d+/g,
  /(ResourceVersion in (?:record|the precondition) \()\d+/g,
  /(resourceVersion: ")\d+/g,
  // An object quoted in a message.
  /(resourceVersion\\*":\\*")\d+/g,
];
const MINUTE_MS = 60_000;
const NEAR_MS = 2 * MINUTE_MS;
/** Servers that are compared have not run for longer: what is older was written down. */
const RUNNING_MS = 60 * MINUTE_MS;
const FAR_MS = 48 * 60 * MINUTE_MS;

/** Makes a normaliser; `now` is when the case began, for telling fresh times from written ones. */
export function createNormaliser({ now }: { now: number }): Normaliser {
  const replacements = new Map<string, string>();
  // Admission gives every pod a volume with a name of its own.
  const prefixes: string[] = ['kube-api-access-'];
  const revisions = new Map<string, string[]>();

  function text(input: string): string {
    let out = input;
    for (const [literal, symbol] of longestFirst(replacements)) {
      out = out.replaceAll(literal, symbol);
    }
    // Before the names, whose beginning a uid may have by chance.
    out = out.replace(UUID, '<uid>');
    for (const prefix of prefixes) {
      out = out.replaceAll(new RegExp(`(${prefix})${GENERATED}`, 'g'), '$1<suffix>');
    }
    out = out
      .replace(TIMESTAMP, (time) => relativeTime(time, now))
      .replace(PEM, '<$1>')
      .replace(/(<CERTIFICATE>)+/g, '<CERTIFICATE>')
      .replace(CLUSTER_IP, '<cluster-ip>');
    for (const [pattern, symbol] of OWN_TEXTS) out = out.replace(pattern, symbol);
    for (const pattern of REVISION_TEXTS) out = out.replace(pattern, '$1<rv>');
    return out;
  }

  function revision(rv: unknown, uid: unknown): unknown {
    if (typeof rv !== 'string' || rv === '' || rv === '0') return rv;
    if (typeof uid !== 'string') return '<rv>';
    const seen = revisions.get(uid) ?? [];
    revisions.set(uid, seen);
    if (!seen.includes(rv)) seen.push(rv);
    // Numbered per object, so that "unchanged" and "changed" stay visible.
    return `<rv ${seen.indexOf(rv) + 1}>`;
  }

  function metadata(meta: Mapping): Mapping {
    const out = mapping(meta);
    if ('resourceVersion' in meta) {
      out['resourceVersion'] = revision(meta['resourceVersion'], meta['uid']);
    }
    return out;
  }

  function mapping(object: Mapping): Mapping {
    const out: Mapping = {};
    for (const key of Object.keys(object).sort()) {
      Object.defineProperty(out, key, {
        value: field(key, object[key]),
        enumerable: true,
        writable: true,
      });
    }
    return out;
  }

  function field(key: string, child: unknown): unknown {
    if (key === 'metadata' && isMapping(child)) return metadata(child);
    if (key === 'continue' && typeof child === 'string') return value(continueToken(child));
    if (key === 'serverAddress') return '<server>';
    if (key === 'kubernetes.io/description') return '<description>';
    if (key === 'managedFields' && Array.isArray(child)) return managers(child);
    if (key === 'cells' && Array.isArray(child)) return child.map(cell);
    if (key === 'columnDefinitions' && Array.isArray(child)) return child.map(withoutDescription);
    if (key === 'groups' || key === 'items') return withoutForeignGroups(value(child));
    if (key === 'paths' && isMapping(child)) return withoutForeignPaths(mapping(child));
    if (/nodePort$/i.test(key) && typeof child === 'number' && child >= 30000) return '<node-port>';
    return value(child);
  }

  /** Entries stand by their times to the second, which is chance; what is in them may be named by uids. */
  function managers(entries: readonly unknown[]): unknown {
    return entries
      .map((entry) => {
        if (!isMapping(entry)) return value(entry);
        const { fieldsV1, ...rest } = entry;
        const own = mapping(rest);
        return fieldsV1 === undefined ? own : { ...own, fieldsV1: fieldNames(fieldsV1) };
      })
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }

  function fieldNames(fields: unknown): unknown {
    if (!isMapping(fields)) return value(fields);
    const names = Object.entries(fields).map(([name, below]) => [text(name), fieldNames(below)]);
    return Object.fromEntries(names);
  }

  function cell(content: unknown): unknown {
    if (typeof content !== 'string') return value(content);
    if (AGE.test(content)) return '<age>';
    return text(content)
      .replace(AGE_IN_CELL, '(<age> ago)')
      .replace(NODE_PORT_CELL, ':<node-port>/');
  }

  function value(input: unknown): unknown {
    if (typeof input === 'string') return JWT.test(input) ? value(decodeJwt(input)) : text(input);
    if (Array.isArray(input)) return input.map(value);
    return isMapping(input) ? mapping(input) : input;
  }

  return {
    value,
    text,
    replace: (literal, symbol) => replacements.set(literal, symbol),
    generated: (prefix) => prefixes.push(prefix),
  };
}

/** JSON with integers beyond 2^53 kept apart instead of rounded. */
export function parseLossless(json: string): unknown {
  return JSON.parse(json.replace(/([[:,]\s*)(-?\d{16,})(?=\s*[,\]}])/g, '$1"<integer $2>"'));
}

function longestFirst(replacements: ReadonlyMap<string, string>): [string, string][] {
  return [...replacements].sort(([a], [b]) => b.length - a.length);
}

function relativeTime(time: string, now: number): string {
  const distance = Date.parse(time) - now;
  const unit = time.includes('.') ? 'micro' : 'time';
  if (distance > -RUNNING_MS && distance < NEAR_MS) return `<${unit}>`;
  if (Math.abs(distance) < FAR_MS) return `<${unit} ${Math.round(distance / MINUTE_MS)}m>`;
  return time;
}

function continueToken(token: string): unknown {
  if (token === '') return token;
  try {
    const content: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isMapping(content) && Number(content['rv']) > 0) return { ...content, rv: '<rv>' };
    return content;
  } catch {
    return token;
  }
}

function decodeJwt(token: string): unknown {
  const [header, payload] = token
    .split('.', 2)
    .map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()));
  if (!isMapping(header) || !isMapping(payload)) return token;
  const { iat, exp, nbf, ...claims } = payload;
  const life = { lives: Number(exp) - Number(iat), notBefore: Number(nbf) - Number(iat) };
  return { header: { ...header, kid: '<kid>' }, claims: { ...claims, ...life } };
}

function withoutDescription(column: unknown): unknown {
  if (!isMapping(column)) return column;
  const { description: _, ...rest } = column;
  return rest;
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Groups that other cases made are served while they last; a case's own are written as symbols. */
const FOREIGN_GROUP = /^zz-.*\.example\.com$/;

function withoutForeignGroups(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.filter((each: unknown) => {
    if (!isMapping(each)) return true;
    const metadata = each['metadata'];
    const name = each['name'] ?? (isMapping(metadata) ? metadata['name'] : undefined);
    return typeof name !== 'string' || !FOREIGN_GROUP.test(name);
  });
}

function withoutForeignPaths(paths: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(paths).filter(([path]) => !FOREIGN_GROUP.test(path.split('/')[1] ?? '')),
  );
}
