import { type Client, type Secret, Secrets } from '@flotilla/client';
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  type Json,
} from '@flotilla/machinery';
import { brief } from '../brief.ts';
import type { ReasonFor } from '../conditions.ts';
import { type Claimant, isFixed, judgeSecret } from './judge-secret.ts';
import { type SecretChanges, secretChanges } from './secret-changes.ts';
import type { WantedSecret } from './wanted-secret.ts';

/** As whom cluster Secrets are written. */
export const FIELD_MANAGER = 'flotilla-registration';

/** What became of a cluster Secret. */
export interface Published {
  readonly secret: Secret;
  readonly did: 'nothing' | 'created' | 'updated' | 'adopted';
  /** Whether the credential was written. */
  readonly wroteData: boolean;
  /** The Secret as it was before; undefined where there was none. */
  readonly before: Secret | undefined;
}

/** The Secret must not or cannot be written, in the words of the condition. */
export class SecretRefusal extends Error {
  override readonly name = 'SecretRefusal';
  readonly reason: ReasonFor<'ClusterRegistered', 'False'>;
  /** True where only time or another's change can help, not the user. */
  readonly isTransient: boolean;

  constructor(
    reason: SecretRefusal['reason'],
    message: string,
    options: { isTransient?: boolean; cause?: unknown } = {},
  ) {
    super(brief(message), { cause: options.cause });
    this.reason = reason;
    this.isTransient = options.isTransient ?? false;
  }
}

/** What publishing needs of the hub. */
export interface PublishDeps {
  readonly client: Pick<Client, 'get' | 'create' | 'patch'>;
  /** What the watch of the gateway namespace has; may be behind. */
  readonly cached: (name: string) => Secret | undefined;
  /** Hears of each Secret as the server answered it. */
  readonly wrote: (secret: Secret) => void;
}

/** Each try after the first is for a change that came between reading and writing. */
const TRIES = 5;

/**
 * Makes the cluster Secret what it has to be, in one write, or leaves it alone. Creating it is the lock on its name: of
 * two registrations the server lets one create it. Every other write is pinned to the version that was judged, so
 * nobody's Secret is overwritten because it changed hands in between. A Secret that is adopted changes in its metadata
 * first: whoever uses it does not notice.
 */
export async function publishSecret(
  wanted: WantedSecret,
  claimant: Claimant,
  { deps, signal }: { readonly deps: PublishDeps; readonly signal: AbortSignal },
): Promise<Published> {
  let existing = deps.cached(wanted.name);
  const done = { isAdopted: false, hasWritten: false, wroteData: false };
  let before = existing;
  for (let attempt = 1; ; attempt++) {
    const step = nextStep(existing, { wanted, claimant });
    if (step === undefined && existing !== undefined) {
      const did = done.isAdopted ? 'adopted' : done.hasWritten ? 'updated' : 'nothing';
      return { secret: existing, did, wroteData: done.wroteData, before };
    }
    try {
      if (existing === undefined || step === undefined) {
        const secret = await deps.client.create(Secrets, newSecret(wanted), {
          fieldManager: FIELD_MANAGER,
          signal,
        });
        deps.wrote(secret);
        return { secret, did: 'created', wroteData: true, before: undefined };
      }
      existing = await writeStep(existing, step, { deps, signal });
      done.hasWritten = true;
      done.isAdopted ||= step.isAdoption;
      done.wroteData ||= step.changes.data !== undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (!isRace(error, existing) || attempt >= TRIES) throw refusalOf(error, wanted);
      existing = await live(wanted, { deps, signal });
      if (!done.hasWritten) before = existing;
    }
  }
}

interface Step {
  readonly changes: SecretChanges;
  readonly isAdoption: boolean;
}

/** Undefined when there is nothing left to change. */
function nextStep(
  existing: Secret | undefined,
  { wanted, claimant }: { readonly wanted: WantedSecret; readonly claimant: Claimant },
): Step | undefined {
  const verdict = judgeSecret(existing, claimant);
  if (verdict.may === 'nothing') throw new SecretRefusal(verdict.reason, verdict.message);
  if (existing === undefined) {
    if (wanted.data === undefined) throw lost(wanted);
    return undefined;
  }
  const changes = secretChanges(existing, wanted);
  if (isFixed(existing, changes)) throw immutable(wanted);
  const isAdoption = verdict.may === 'adopt';
  if (changes.metadata === undefined && changes.data === undefined) return undefined;
  return isAdoption && changes.metadata !== undefined
    ? { isAdoption, changes: { metadata: adoption(changes.metadata, wanted), data: undefined } }
    : { isAdoption, changes };
}

/** What says which credential it is changes together with the credential. */
function adoption(metadata: Json, { firstAnnotations }: WantedSecret): Json {
  const { labels, annotations, ...rest } = metadata as { labels?: Json; annotations?: Json };
  const { 'cluster.core.oam.dev/cluster-credential-type': _, ...others } = labels ?? {};
  return {
    ...rest,
    annotations: { ...firstAnnotations, ...annotations },
    ...(Object.keys(others).length === 0 ? {} : { labels: others }),
  };
}

async function writeStep(
  existing: Secret,
  { changes }: Step,
  { deps, signal }: { readonly deps: PublishDeps; readonly signal: AbortSignal },
): Promise<Secret> {
  const { uid, resourceVersion, namespace, name = '' } = existing.metadata;
  const body = {
    metadata: { ...changes.metadata, uid, resourceVersion },
    ...(changes.data === undefined ? {} : { data: changes.data }),
  };
  const secret = await deps.client.patch(
    Secrets,
    { namespace, name },
    { type: 'merge', body, fieldManager: FIELD_MANAGER, signal },
  );
  deps.wrote(secret);
  return secret;
}

async function live(
  { namespace, name }: WantedSecret,
  { deps, signal }: { readonly deps: PublishDeps; readonly signal: AbortSignal },
): Promise<Secret | undefined> {
  try {
    return await deps.client.get(Secrets, { namespace, name }, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function newSecret(wanted: WantedSecret): Secret {
  const { namespace, name, labels, annotations, firstAnnotations, data, ownerReference } = wanted;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace,
      name,
      labels: { ...labels },
      annotations: { ...firstAnnotations, ...annotations },
      ...(ownerReference === undefined ? {} : { ownerReferences: [ownerReference] }),
    },
    type: 'Opaque',
    data: { ...data },
  };
}

function isRace(error: unknown, existing: Secret | undefined): boolean {
  if (isAlreadyExists(error)) return existing === undefined;
  return existing !== undefined && (isConflict(error) || isNotFound(error));
}

function refusalOf(error: unknown, { namespace, name }: WantedSecret): unknown {
  if (isNotFound(error)) {
    const message = `Cannot write cluster Secret "${name}": the hub has no namespace "${namespace}" for cluster Secrets`;
    return new SecretRefusal('HubNotReady', message, { isTransient: true, cause: error });
  }
  if (isForbidden(error) || isInvalid(error) || isConflict(error)) {
    const message = `Cannot write cluster Secret "${namespace}/${name}": ${(error as Error).message}`;
    return new SecretRefusal('WriteFailed', message, { isTransient: true, cause: error });
  }
  return error;
}

function immutable({ namespace, name }: WantedSecret): SecretRefusal {
  return new SecretRefusal(
    'SecretImmutable',
    `Cannot write cluster Secret "${namespace}/${name}": it is immutable and has another credential; delete it, and it is made anew`,
  );
}

/** Its credential was nowhere but in the Secret. */
function lost({ namespace, name }: WantedSecret): SecretRefusal {
  return new SecretRefusal(
    'WriteFailed',
    `Cannot restore cluster Secret "${namespace}/${name}": it was deleted, and there is no source to make it from`,
    { isTransient: true },
  );
}
