import { getOwn, isJsonObject } from '@flotilla/machinery';
import type { Credential } from '../access.ts';
import type { ExecPlugin } from '../credentials/exec/exec-plugin.ts';
import type { KubeconfigEntries } from './kubeconfig.ts';
import type { KubeconfigRefusal } from './kubeconfig-error.ts';

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
  /** Accepts `exec`: makes a credential of it, and decides by that alone whether the command ever runs. @default refused */
  readonly exec?: (plugin: ExecPlugin) => Credential;
}

/** One thing that is wrong with a text. */
export interface UntrustedProblem {
  readonly refusal: KubeconfigRefusal;
  readonly text: string;
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

const file = (advice: string): UntrustedProblem => ({
  refusal: 'FileReference',
  text: `files are not read here; ${advice}`,
});

/** Fields kubectl knows and we refuse: what to do instead. */
const REFUSED_CLUSTER: Readonly<Record<string, UntrustedProblem>> = {
  'certificate-authority': file(`put the certificate into certificate-authority-data (${FLATTEN})`),
};

const REFUSED_USER: Readonly<Record<string, UntrustedProblem>> = {
  'client-certificate': file(`put the certificate into client-certificate-data (${FLATTEN})`),
  'client-key': file(`put the key into client-key-data (${FLATTEN})`),
  tokenFile: file('put the token into token'),
  'token-file': file('put the token into token'),
  'auth-provider': {
    refusal: 'AuthProvider',
    text: `identity providers are not asked here; ${TOKEN}`,
  },
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
): UntrustedProblem[] {
  const cluster = rules(CLUSTER, REFUSED_CLUSTER, {
    'insecure-skip-tls-verify': {
      isAllowed: policy.insecureTls,
      refusal: 'InsecureTls',
      text: 'servers must prove who they are; give certificate-authority-data',
    },
    'proxy-url': {
      isAllowed: policy.proxy,
      refusal: 'Proxy',
      text: 'proxies are not used here; leave it out',
    },
  });
  const impersonation: OptionalField = {
    isAllowed: policy.impersonation,
    refusal: 'Impersonation',
    text: 'impersonation is not supported here; give the credential of that user itself',
  };
  const user = rules(USER, REFUSED_USER, {
    ...Object.fromEntries(AS.map((field) => [field, impersonation])),
    exec: {
      isAllowed: policy.exec !== undefined,
      refusal: 'Exec',
      text: `commands are not run here; ${TOKEN}`,
    },
  });
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

/** A field that is accepted where the policy says so. */
interface OptionalField extends UntrustedProblem {
  readonly isAllowed: boolean | undefined;
}

/** What is wrong with a field that is there; undefined when nothing. */
type Rule = (field: string, value: unknown) => UntrustedProblem | undefined;

function rules(
  accepted: ReadonlySet<string>,
  refused: Readonly<Record<string, UntrustedProblem>>,
  optional: Readonly<Record<string, OptionalField>>,
): Rule {
  return (field, value) => {
    if (accepted.has(field)) return undefined;
    const option = Object.hasOwn(optional, field) ? optional[field] : undefined;
    if (option !== undefined) {
      const isOff = value === null || value === false || value === '';
      return option.isAllowed === true || isOff ? undefined : option;
    }
    if (Object.hasOwn(refused, field)) return value === null ? undefined : refused[field];
    return { refusal: 'Invalid', text: 'kubeconfigs have no such field; leave it out' };
  };
}

function fieldProblems(entry: unknown, rule: Rule, place: string): UntrustedProblem[] {
  if (!isJsonObject(entry)) return [];
  return Object.entries(entry).flatMap(([field, value]) => {
    const problem = rule(field, value);
    if (problem === undefined) return [];
    const { refusal, text } = problem;
    return [{ refusal, text: `Cannot use ${place}${shown(field)}: ${text}` }];
  });
}

/** A key may be anything, a misplaced token too. */
function shown(field: string): string {
  return /^[A-Za-z][A-Za-z-]{0,39}$/.test(field) ? field : '(a field with an odd name)';
}
