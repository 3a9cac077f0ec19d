import { isIP } from 'node:net';
import { type CompatibleOptions, isAdmissionPlugin } from '@flotilla/apiserver';
import { UsageError } from '../usage-error.ts';
import type { FlagName } from './flag-table.ts';
import type { GivenFlags } from './read-flags.ts';

/** What the flags say, with every file they name read; only the serving certificate may still be missing. */
export type ServerConfig = Omit<CompatibleOptions, 'serving' | 'log' | 'clock'> & {
  /** Undefined when it is to be found or made in `certificateFolder`. */
  readonly serving: CompatibleOptions['serving'] | undefined;
  readonly certificateFolder: string | undefined;
};

/** Upstream's default. */
const PORT = 6443;
const SERVICE_RANGE = '10.0.0.0/24';
const MODES = new Set(['RBAC', 'AlwaysAllow', 'Node']);

/** Makes a configuration of the flags, telling all that is wrong with them at once. */
export function serverConfig(given: GivenFlags, readFile: (path: string) => string): ServerConfig {
  const flags = new Reader(given, readFile);
  const modes = authorizationModes(flags);
  const allowsEverything = modes.includes('AlwaysAllow');
  const config: ServerConfig = {
    host: flags.address('bind-address') ?? '127.0.0.1',
    port: flags.port('secure-port') ?? PORT,
    advertiseAddress: flags.address('advertise-address'),
    serviceCidr: serviceRange(flags),
    serving: servingPair(flags),
    certificateFolder: flags.text('cert-dir'),
    clientAuthorities: flags.file('client-ca-file'),
    frontProxy: frontProxy(flags),
    tokens: flags.file('token-auth-file'),
    serviceAccounts: {
      issuers: flags.texts('service-account-issuer'),
      audiences: flags.list('api-audiences'),
      signingKey: flags.file('service-account-signing-key-file'),
      verifyingKeys: flags.files('service-account-key-file'),
    },
    allowsEverything,
    // Upstream's rule: where everything is allowed, at least a credential is needed.
    anonymous: flags.boolean('anonymous-auth', true) && !allowsEverything,
    bootstrapTokens: flags.boolean('enable-bootstrap-token-auth', false),
    admissionPlugins: {
      enable: pluginNames(flags, 'enable-admission-plugins'),
      disable: pluginNames(flags, 'disable-admission-plugins'),
    },
    kubelet: kubelet(flags),
    doesManagersWork: flags.boolean('flotilla-controllers', false),
    dataFolder: flags.text('flotilla-data'),
  };
  const problems = [...given.problems, ...flags.problems];
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return config;
}

function authorizationModes(flags: Reader): string[] {
  const modes = flags.list('authorization-mode');
  for (const mode of modes) {
    if (!MODES.has(mode)) {
      flags.refuse('authorization-mode', mode, 'only RBAC, Node and AlwaysAllow are there');
    }
  }
  return modes.length === 0 ? ['AlwaysAllow'] : modes;
}

function serviceRange(flags: Reader): string {
  const [range = SERVICE_RANGE] = flags.list('service-cluster-ip-range');
  const [, network = '', bits = ''] = /^([\d.]+)\/(\d+)$/.exec(range) ?? [];
  if (isIP(network) !== 4 || Number(bits) < 8 || Number(bits) > 30) {
    const wanted = 'it must be an IPv4 network such as 10.0.0.0/24';
    flags.refuse('service-cluster-ip-range', range, wanted);
  }
  return range;
}

function servingPair(flags: Reader): CompatibleOptions['serving'] | undefined {
  const certificate = flags.file('tls-cert-file');
  const key = flags.file('tls-private-key-file');
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    const file = flags.text(certificate === undefined ? 'tls-private-key-file' : 'tls-cert-file');
    flags.problems.push(
      `Cannot serve with "${file ?? ''}" alone: a certificate and its key are needed`,
    );
    return undefined;
  }
  return { certificate, key };
}

function frontProxy(flags: Reader): CompatibleOptions['frontProxy'] {
  const authorities = flags.file('requestheader-client-ca-file');
  if (authorities === undefined) return undefined;
  return {
    authorities,
    allowedNames: flags.list('requestheader-allowed-names'),
    usernameHeaders: flags.list('requestheader-username-headers'),
    uidHeaders: flags.list('requestheader-uid-headers'),
    groupHeaders: flags.list('requestheader-group-headers'),
    extraHeaderPrefixes: flags.list('requestheader-extra-headers-prefix'),
  };
}

function pluginNames(flags: Reader, flag: FlagName): string[] {
  const names = flags.list(flag);
  for (const name of names) {
    if (!isAdmissionPlugin(name)) flags.refuse(flag, name, 'there is no such plug-in');
  }
  return names;
}

function kubelet(flags: Reader): CompatibleOptions['kubelet'] {
  const certificate = flags.file('kubelet-client-certificate');
  const key = flags.file('kubelet-client-key');
  const authorities = flags.file('kubelet-certificate-authority');
  const addressTypes = flags.list('kubelet-preferred-address-types');
  const port = flags.port('kubelet-port');
  return {
    ...(certificate === undefined || key === undefined
      ? {}
      : { credentials: () => ({ certificate, key }) }),
    ...(authorities === undefined ? {} : { authorities }),
    ...(addressTypes.length === 0 ? {} : { addressTypes }),
    ...(port === undefined ? {} : { port }),
  };
}

/** Reads values of flags, the last one where there may be only one, and remembers what is wrong with them. */
class Reader {
  readonly problems: string[] = [];
  readonly #given: GivenFlags;
  readonly #readFile: (path: string) => string;

  constructor(given: GivenFlags, readFile: (path: string) => string) {
    this.#given = given;
    this.#readFile = readFile;
  }

  refuse(name: FlagName, value: string, problem: string): void {
    this.problems.push(`Cannot use --${name} "${value}": ${problem}`);
  }

  texts(name: FlagName): string[] {
    return (this.#given.values.get(name) ?? []).filter((value) => value !== '');
  }

  text(name: FlagName): string | undefined {
    return this.texts(name).at(-1);
  }

  list(name: FlagName): string[] {
    return this.texts(name).flatMap((value) => value.split(',').filter((item) => item !== ''));
  }

  boolean(name: FlagName, usual: boolean): boolean {
    const value = this.text(name);
    if (value === undefined) return usual;
    if (/^(1|t|true)$/i.test(value)) return true;
    if (!/^(0|f|false)$/i.test(value)) this.refuse(name, value, 'it must be true or false');
    return false;
  }

  port(name: FlagName): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const port = Number(value);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      this.refuse(name, value, 'it must be a number from 0 to 65535');
    }
    return port;
  }

  address(name: FlagName): string | undefined {
    const value = this.text(name);
    if (value !== undefined && isIP(value) === 0) {
      this.refuse(name, value, 'it must be an IP address');
    }
    return value;
  }

  files(name: FlagName): string[] {
    return this.texts(name).flatMap((path) => {
      try {
        return [this.#readFile(path)];
      } catch (error) {
        const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
        this.refuse(name, path, missing ? 'there is no such file' : reasonOf(error));
        return [];
      }
    });
  }

  file(name: FlagName): string | undefined {
    return this.files(name).at(-1);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
