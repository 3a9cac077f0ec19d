import { getOwn, isJsonObject } from '@flotilla/machinery';
import type { KubeconfigEntries } from './kubeconfig.ts';

/** What an untrusted kubeconfig may do beyond naming a server, its authority and a credential; each is off unless asked for. */
export interface UntrustedPolicy {
  /** The context to use. @default current-context */
  readonly context?: string | undefined;
  /** Accepts `insecure-skip-tls-verify`. @default false */
  readonly insecureTls?: boolean;
  /** Accepts servers without TLS; they get no credential. @default false */
  readonly plainHttp?: boolean;
  /** Accepts `proxy-url`. @default false */
  readonly proxy?: boolean;
  /** Accepts `as` and its companions. @default false */
  readonly impersonation?: boolean;
}

/** The entries of one context, and where they stand in the text. */
export interface UntrustedChoice {
  readonly entries: KubeconfigEntries;
  readonly contextName: string;
  readonly context: number;
  readonly cluster: number;
  readonly user: number;
}

const FLATTEN = 'kubectl config view --minify --flatten --raw prints a kubeconfig that has it';
const TOKEN =
  'give a token, or client-certificate-data and client-key-data, of a service account made for this';

/** Fields kubectl knows and we refuse: what to do instead. */
const REFUSED_CLUSTER: Readonly<Record<string, string>> = {
  'certificate-authority': `files are not read here; put the certificate into certificate-authority-data (${FLATTEN})`,
};

const REFUSED_USER: Readonly<Record<string, string>> = {
  'client-certificate': `files are not read here; put the certificate into client-certificate-data (${FLATTEN})`,
  'client-key': `files are not read here; put the key into client-key-data (${FLATTEN})`,
  tokenFile: 'files are not read here; put the token into token',
  'token-file': 'files are not read here; put the token into token',
  exec: `commands are not run here; ${TOKEN}`,
  'auth-provider': `identity providers are not asked here; ${TOKEN}`,
};

const CLUSTER = new Set([
  'server',
  'certificate-authority-data',
  'tls-server-name',
  'disable-compression',
  'extensions',
]);
const USER = new Set([
  'token',
  'username',
  'password',
  'client-certificate-data',
  'client-key-data',
  'extensions',
]);
const CONTEXT = new Set(['cluster', 'user', 'namespace', 'extensions']);
const TOP = new Set([
  'apiVersion',
  'kind',
  'preferences',
  'clusters',
  'users',
  'contexts',
  'current-context',
  'extensions',
]);
const AS = ['as', 'as-uid', 'as-groups', 'as-user-extra'];

/** Everything in the chosen entries that is not on the list, each with what to do about it. */
export function untrustedProblems(
  value: Record<string, unknown>,
  chosen: UntrustedChoice,
  policy: UntrustedPolicy,
): string[] {
  const cluster = rules(CLUSTER, REFUSED_CLUSTER, {
    'insecure-skip-tls-verify': {
      isAllowed: policy.insecureTls,
      otherwise: 'servers must prove who they are; give certificate-authority-data',
    },
    'proxy-url': { isAllowed: policy.proxy, otherwise: 'proxies are not used here; leave it out' },
  });
  const user = rules(
    USER,
    REFUSED_USER,
    Object.fromEntries(
      AS.map((field) => [
        field,
        {
          isAllowed: policy.impersonation,
          otherwise: 'impersonation is not supported here; give the credential of that user itself',
        },
      ]),
    ),
  );
  const none = rules(new Set(['name', 'cluster', 'user', 'context']), {}, {});
  return [
    ...fieldProblems(value, rules(TOP, {}, {}), ''),
    ...(
      [
        ['contexts', 'context', chosen.context, rules(CONTEXT, {}, {})],
        ['clusters', 'cluster', chosen.cluster, cluster],
        ['users', 'user', chosen.user, user],
      ] as const
    ).flatMap(([list, body, index, rule]) => {
      const item = (getOwn(value, list) as Record<string, unknown>[])[index] ?? {};
      const place = `${list}[${index}]`;
      return [
        ...fieldProblems(item, none, `${place}.`),
        ...fieldProblems(getOwn(item, body), rule, `${place}.${body}.`),
      ];
    }),
  ];
}

/** What is wrong with a field that is there; undefined when nothing. */
type Rule = (field: string, value: unknown) => string | undefined;

function rules(
  accepted: ReadonlySet<string>,
  refused: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, { isAllowed: boolean | undefined; otherwise: string }>>,
): Rule {
  return (field, value) => {
    if (accepted.has(field)) return undefined;
    const option = Object.hasOwn(optional, field) ? optional[field] : undefined;
    if (option !== undefined) {
      const isOff = value === null || value === false || value === '';
      return option.isAllowed === true || isOff ? undefined : option.otherwise;
    }
    if (Object.hasOwn(refused, field)) return value === null ? undefined : refused[field];
    return 'kubeconfigs have no such field; leave it out';
  };
}

function fieldProblems(entry: unknown, rule: Rule, place: string): string[] {
  if (!isJsonObject(entry)) return [];
  return Object.entries(entry).flatMap(([field, value]) => {
    const problem = rule(field, value);
    return problem === undefined ? [] : [`Cannot use ${place}${shown(field)}: ${problem}`];
  });
}

/** A key may be anything, a misplaced token too. */
function shown(field: string): string {
  return /^[A-Za-z][A-Za-z-]{0,39}$/.test(field) ? field : '(a field with an odd name)';
}
