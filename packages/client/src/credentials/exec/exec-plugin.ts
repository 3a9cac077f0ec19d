import type { Clock } from '@flotilla/machinery';
import type { PluginPolicy } from './plugin-policy.ts';

/** A command that prints an ExecCredential. */
export interface ExecPlugin {
  /** A name to look up in PATH, or an absolute path. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly apiVersion: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** Shown when the command is not there. */
  readonly installHint?: string | undefined;
  /** Told to the plugin when it is given: the kubeconfig said `provideClusterInfo`. */
  readonly cluster?: ExecCluster | undefined;
}

/** What a plugin is told about the server it makes a credential for. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: true;
  /** Base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: true;
  /** The cluster's extension `client.authentication.k8s.io/exec`, as it is. */
  readonly config?: unknown;
}

/** The machine that plugins run on. */
export interface ExecHost {
  /** What plugins inherit; PATH is where they are looked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Which commands may run at all. @default AllowAll, as kubectl's */
  readonly policy?: PluginPolicy;
  /** Whether someone sits at standard input, which an interactive plugin is then handed. @default false */
  readonly isTerminal?: boolean;
  /** After which a plugin is killed; 0 lets it run for ever. @default 60,000; none where someone can answer its questions */
  readonly timeoutMs?: number;
  /** Takes what plugins print for people; it may hold secrets, and no error ever does. @default dropped */
  readonly stderr?: (chunk: Buffer) => void;
  /** Told what is worth knowing but no failure. */
  readonly warn?: (message: string) => void;
}
