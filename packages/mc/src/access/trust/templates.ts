import type { ExecProposal } from '../properties/exec-properties.ts';

/**
 * The commands that count as allowed by whoever installed the plugin: cloud CLIs in the exact shapes that only print a
 * token of the user for a cluster. Every flag and the form of its value is listed: one that names an endpoint, a file or
 * a certificate would hand the user's credentials to whoever wrote the profile, so nothing else passes.
 */
export function isBuiltinTemplate(proposal: ExecProposal): boolean {
  const template = TEMPLATES[proposal.command];
  if (template === undefined || !Object.hasOwn(TEMPLATES, proposal.command)) return false;
  const { args, env } = proposal;
  const isKnownEnvironment = Object.entries(env).every(([name, value]) =>
    Object.hasOwn(template.env, name) ? template.env[name]?.test(value) === true : false,
  );
  return isKnownEnvironment && template.matches(args);
}

interface Template {
  readonly matches: (args: readonly string[]) => boolean;
  readonly env: Readonly<Record<string, RegExp>>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const REGION = /^[a-z]{2,}(?:-[a-z0-9]+)+$/;
/** The AWS CLI reads values that begin with `file://` or a URL from there; none of these can. */
const PROFILE = /^[A-Za-z0-9_][A-Za-z0-9_.@+ -]{0,127}$/;
const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/[A-Za-z0-9_+=,.@/-]{1,512}$/;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const AWS_GLOBAL: FlagShapes = { '--region': REGION, '--profile': PROFILE, '--output': /^json$/ };
const AWS_TOKEN: FlagShapes = { ...AWS_GLOBAL, '--cluster-name': NAME, '--role-arn': ROLE };

/** Of AKS and of Azure Arc: a token for any other application is none of a cluster's business. */
const AKS_SERVERS =
  /^(?:6dae42f8-4368-4678-94ff-3960e28e3630|6256c85f-0aad-4d50-b960-e6e9b21efe35)$/i;
/** Of AKS: with any other, a browser would ask the user to sign in to somebody's own application. */
const AKS_CLIENT = /^80faf920-1908-4b52-b5ef-a8e7bedfc67a$/i;
const KUBELOGIN: FlagShapes = {
  '--login': /^(?:azurecli|azd|devicecode|interactive|msi|workloadidentity|spn)$/,
  '-l': /^(?:azurecli|azd|devicecode|interactive|msi|workloadidentity|spn)$/,
  '--server-id': AKS_SERVERS,
  '--client-id': GUID,
  '--tenant-id': GUID,
  '-t': GUID,
  '--environment': /^Azure(?:Public|China|USGovernment)Cloud$/,
  '-e': /^Azure(?:Public|China|USGovernment)Cloud$/,
};

const TEMPLATES: Readonly<Record<string, Template>> = {
  aws: {
    matches: (args) => {
      const at = args.indexOf('eks');
      if (at < 0 || args[at + 1] !== 'get-token') return false;
      const before = readFlags(args.slice(0, at), AWS_GLOBAL);
      const after = readFlags(args.slice(at + 2), AWS_TOKEN);
      return before !== undefined && after?.has('--cluster-name') === true;
    },
    env: {
      AWS_PROFILE: PROFILE,
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_STS_REGIONAL_ENDPOINTS: /^(?:regional|legacy)$/,
    },
  },
  'gke-gcloud-auth-plugin': {
    matches: (args) =>
      args.length === 0 ||
      (args.length === 1 && args[0] === '--use_application_default_credentials'),
    env: {},
  },
  kubelogin: {
    matches: (args) => {
      if (args[0] !== 'get-token') return false;
      const flags = readFlags(args.slice(1), KUBELOGIN);
      if (flags?.has('--server-id') !== true) return false;
      const login = flags.get('--login') ?? flags.get('-l') ?? 'devicecode';
      const client = flags.get('--client-id');
      const asksPerson = login === 'devicecode' || login === 'interactive';
      return !asksPerson || client === undefined || AKS_CLIENT.test(client);
    },
    env: {},
  },
};

/** Flags by name, and what each value must look like. */
type FlagShapes = Readonly<Record<string, RegExp>>;

/** Reads `--flag value` and `--flag=value`; undefined as soon as anything is not listed, ill-formed or said twice. */
function readFlags(args: readonly string[], shapes: FlagShapes): Map<string, string> | undefined {
  const found = new Map<string, string>();
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const name = equals < 0 ? arg : arg.slice(0, equals);
    if (!Object.hasOwn(shapes, name) || found.has(name)) return undefined;
    if (equals < 0) index += 1;
    const value = equals < 0 ? args[index] : arg.slice(equals + 1);
    if (value === undefined || shapes[name]?.test(value) !== true) return undefined;
    found.set(name, value);
  }
  return found;
}
