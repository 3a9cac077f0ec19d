import { createHash } from 'node:crypto';
import {
  askPlugin,
  CredentialError,
  type ExecPlugin,
  type Presented,
  type SharedRun,
  singleFlight,
} from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import { type Logger, redact, SecretValue } from '@flotilla/runtime';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import { lifetimeOf, refreshTime } from '../source/expiry.ts';
import { ExecFailure } from './exec-failure.ts';
import type { ExecProfile } from './exec-profile.ts';

/** A credential that a command made. */
export interface MintedCredential {
  readonly credential: MemberCredential;
  readonly issuedAt: Date;
  /** Undefined where neither the command nor the credential says. */
  readonly expiresAt: Date | undefined;
}

/** What is to be minted. */
export interface MintOrder {
  readonly profile: ExecProfile;
  /** The command of the kubeconfig, which the profile allows. */
  readonly plugin: ExecPlugin;
  /** Only a credential that was made after this will do: what was there before has been refused. @default any */
  readonly madeAfter?: Date | undefined;
}

/** Runs an allowed command, or tells what it printed before while that is fresh. Throws ExecFailure. */
export type MintCredential = (order: MintOrder, signal: AbortSignal) => Promise<MintedCredential>;

/** What mints credentials, with those that are fresh. */
export interface Mint {
  readonly mint: MintCredential;
  /** Told that a member refused a credential: whoever asks next gets another one. */
  readonly forget: (refused: MemberCredential) => void;
}

/** How long a credential counts as fresh that does not say when it ends. */
const UNDATED_MS = 10 * 60_000;
/** What a command prints for people; enough to find out what is wrong. */
const LONGEST_STDERR = 2048;
/** Beyond this many, those that are over are swept out. */
const MANY = 256;

interface Kept {
  readonly minted: MintedCredential;
  readonly freshUntil: number;
}

/**
 * Makes credentials with the commands of exec profiles. Whoever asks for the same command with the same arguments shares
 * one run and its result, until four fifths of its life are over or two minutes before its end.
 */
export function createMint({ clock, logger }: { clock: Clock; logger: Logger }): Mint {
  const kept = new Map<string, Kept>();
  const runs = new Map<string, SharedRun<MintedCredential>>();
  const sweep = () => {
    if (kept.size <= MANY) return;
    for (const [key, { freshUntil }] of kept) if (freshUntil <= clock.now()) kept.delete(key);
  };
  return {
    mint: async ({ profile, plugin, madeAfter }, signal) => {
      const key = keyOf(profile, plugin);
      const known = kept.get(key);
      const isTooOld =
        madeAfter !== undefined && known !== undefined && known.minted.issuedAt <= madeAfter;
      if (known !== undefined && !isTooOld && clock.now() < known.freshUntil) return known.minted;
      const run =
        runs.get(key) ??
        singleFlight(async (shared) => {
          try {
            const minted = await runOnce({ profile, plugin, clock, logger }, shared);
            sweep();
            kept.set(key, { minted, freshUntil: freshUntil(minted, clock.now()) });
            return minted;
          } finally {
            runs.delete(key);
          }
        });
      runs.set(key, run);
      return run(signal);
    },
    forget: (refused) => {
      const token = secretOf(refused);
      for (const [key, { minted }] of kept) {
        if (secretOf(minted.credential) === token) kept.delete(key);
      }
    },
  };
}

interface Run {
  readonly profile: ExecProfile;
  readonly plugin: ExecPlugin;
  readonly clock: Clock;
  readonly logger: Logger;
}

async function runOnce({ profile, plugin, clock, logger }: Run, signal: AbortSignal) {
  const said: Buffer[] = [];
  const issuedAt = new Date(clock.now());
  try {
    const { presented, expiresAt } = await askPlugin(
      // The profile's command and environment, the kubeconfig's arguments: those have been checked.
      {
        command: profile.command,
        args: plugin.args ?? [],
        env: [],
        apiVersion: plugin.apiVersion,
        interactiveMode: 'Never',
        cluster: plugin.cluster,
      },
      {
        env: profile.env,
        clock,
        timeoutMs: profile.timeoutMs,
        stderr: (chunk) => void said.push(chunk),
      },
      signal,
    );
    const credential = credentialOf(presented, profile);
    const told = expiresAt === undefined ? lifetimeOf(credential).expiresAt : new Date(expiresAt);
    return { credential, issuedAt, expiresAt: told };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new ExecFailure(
      `Cannot make a credential with exec profile "${profile.name}": ${error.message.replace(/^getting credentials: /, '')}; the log of the hub has what it printed for people`,
    );
  } finally {
    tell(said, profile, logger);
  }
}

/** Redacted before it is cut: a part of a token no longer looks like one. */
function tell(said: readonly Buffer[], { name, env }: ExecProfile, logger: Logger): void {
  const text = redact(Buffer.concat([...said]).toString(), Object.values(env)).trim();
  if (text === '') return;
  logger.info('a credential plugin said something', {
    profile: name,
    stderr: text.slice(0, LONGEST_STDERR),
  });
}

/** Of a token and a certificate the token counts, as everywhere: a cluster Secret carries one. */
function credentialOf(presented: Presented, { name }: ExecProfile): MemberCredential {
  const token = /^Bearer (.*)$/s.exec(presented.authorization ?? '')?.[1]?.trim();
  if (token !== undefined) {
    if (/^[\x21-\x7e]+$/.test(token)) {
      return { type: 'ServiceAccountToken', token: new SecretValue(token) };
    }
    throw new ExecFailure(
      `Cannot make a credential with exec profile "${name}": it printed a token that no header can carry`,
    );
  }
  const { cert = '', key = '' } = presented.certificate ?? {};
  return { type: 'X509Certificate', certificate: cert, key: new SecretValue(key) };
}

function freshUntil({ issuedAt, expiresAt }: MintedCredential, now: number): number {
  if (expiresAt === undefined) return now + UNDATED_MS;
  return refreshTime({ issuedAt, expiresAt }, issuedAt)?.getTime() ?? now;
}

function secretOf(credential: MemberCredential): string {
  return credential.type === 'ServiceAccountToken'
    ? credential.token.reveal()
    : credential.certificate;
}

/** Everything that could make the command print something else. */
function keyOf(profile: ExecProfile, { apiVersion, args, cluster }: ExecPlugin): string {
  const { name, command, env } = profile;
  return createHash('sha256')
    .update(JSON.stringify([name, command, env, apiVersion, args ?? [], cluster ?? null]))
    .digest('base64');
}
