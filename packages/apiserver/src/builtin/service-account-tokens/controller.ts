import { deepCopy, isConflict, isNotFound, type KubeObject, parseJson } from '@flotilla/machinery';
import type { LegacySubject } from '../../authn/legacy-tokens.ts';
import { deleteObject } from '../../objects/delete-object.ts';
import type { Engine } from '../../objects/engine.ts';
import { decodeStored, findStored } from '../../objects/stored.ts';
import { updateObject } from '../../objects/update-object.ts';
import { type ResourceDef, rangePrefix } from '../../resources/resource.ts';
import type { Change, Tenant } from '../../storage/store.ts';
import type { BuiltinController } from '../controller.ts';
import { noWarnings, SYSTEM_USER } from '../system-user.ts';

const TYPE = 'kubernetes.io/service-account-token';
const MARK = Buffer.from(`"${TYPE}"`);
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

/** What filling token Secrets needs. */
export interface ServiceAccountTokensDeps {
  readonly engine: Engine;
  readonly secrets: ResourceDef;
  readonly serviceAccounts: ResourceDef;
  readonly caBundle: (tenant: Tenant) => string;
  readonly sign: (tenant: Tenant, subject: LegacySubject) => string;
}

interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Record<string, string>;
}

/** Work is `secret NAMESPACE/NAME`, `account NAMESPACE/NAME` or `reference NAMESPACE/ACCOUNT/SECRET`. */
type Work = 'secret' | 'account' | 'reference';

/** Gives Secrets of the service-account type their token, and takes them away with their account. */
export function serviceAccountTokensController(deps: ServiceAccountTokensDeps): BuiltinController {
  const { secrets, serviceAccounts } = deps;
  return {
    name: 'serviceaccount-token',
    yields: true,
    initial: (tenant) =>
      tokenKeys(deps, tenant).map((key) => workOf('secret', key.slice(secrets.prefix.length))),
    concerns: (change) => {
      if (change.key.startsWith(secrets.prefix)) return concernsOfSecret(secrets, change);
      if (change.value !== undefined || !change.key.startsWith(serviceAccounts.prefix)) return [];
      return [workOf('account', change.key.slice(serviceAccounts.prefix.length))];
    },
    sync: async (tenant, work) => {
      const [kind = '', path = ''] = work.split(' ');
      const [namespace = '', name = '', secretName = ''] = path.split('/');
      if (kind === 'secret') await syncSecret(deps, tenant, { namespace, name });
      else if (kind === 'account') await syncAccount(deps, tenant, { namespace, name });
      else await dropReference(deps, tenant, { namespace, name, secretName });
      return undefined;
    },
  };
}

function workOf(kind: Work, path: string): string {
  return `${kind} ${path}`;
}

function concernsOfSecret(secrets: ResourceDef, { key, value, previous }: Change): string[] {
  const path = key.slice(secrets.prefix.length);
  if (value !== undefined) return value.includes(MARK) ? [workOf('secret', path)] : [];
  if (previous === undefined || !previous.includes(MARK)) return [];
  const { metadata } = parseJson(previous).value as Secret;
  const [namespace = '', name = ''] = path.split('/');
  return [workOf('reference', `${namespace}/${metadata.annotations?.[NAME] ?? ''}/${name}`)];
}

function tokenKeys(
  { engine, secrets }: ServiceAccountTokensDeps,
  tenant: Tenant,
  namespace = '',
): string[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot
    .range(rangePrefix(secrets, namespace), { limit: Number.MAX_SAFE_INTEGER })
    .filter(({ value }) => value.includes(MARK))
    .map(({ key }) => key);
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** Fills the Secret, or deletes it when its account is not (or no longer) there. */
async function syncSecret(
  deps: ServiceAccountTokensDeps,
  tenant: Tenant,
  place: Place,
): Promise<void> {
  const { engine, secrets } = deps;
  const target = { tenant, def: secrets, ...place };
  const secret = findStored(engine, target)?.object as Secret | undefined;
  if (secret === undefined || secret.type !== TYPE) return;
  const account = accountOf(deps, tenant, secret);
  if (account === undefined) {
    const { uid } = secret.metadata;
    await deleteObject(engine, {
      ...target,
      options: uid === undefined ? {} : { preconditions: { uid } },
      user: SYSTEM_USER,
      warn: noWarnings,
    }).catch(ignoreOvertaken);
    return;
  }
  if (isComplete(deps, tenant, secret)) return;
  await updateObject(engine, {
    ...target,
    subresource: '',
    change: (current) => {
      const now = current as Secret;
      if (now.type !== TYPE || isComplete(deps, tenant, now)) return now;
      return filled(deps, tenant, { secret: deepCopy(now), account });
    },
    user: SYSTEM_USER,
    dryRun: false,
    warn: noWarnings,
  }).catch(ignoreOvertaken);
}

function accountOf(
  { engine, serviceAccounts }: ServiceAccountTokensDeps,
  tenant: Tenant,
  { metadata }: Secret,
): KubeObject | undefined {
  const name = metadata.annotations?.[NAME] ?? '';
  const uid = metadata.annotations?.[UID] ?? '';
  const namespace = metadata.namespace ?? '';
  const account = findStored(engine, { tenant, def: serviceAccounts, namespace, name })?.object;
  return uid === '' || account?.metadata.uid === uid ? account : undefined;
}

function isComplete(
  { caBundle }: ServiceAccountTokensDeps,
  tenant: Tenant,
  { data }: Secret,
): boolean {
  const has = (key: string): boolean => (data?.[key] ?? '') !== '';
  return data?.['ca.crt'] === base64(caBundle(tenant)) && has('namespace') && has('token');
}

function filled(
  { caBundle, sign }: ServiceAccountTokensDeps,
  tenant: Tenant,
  { secret, account }: { secret: Secret; account: KubeObject },
): Secret {
  const { namespace = '', name: secretName = '' } = secret.metadata;
  const { name = '', uid = '' } = account.metadata;
  const kept = (key: string, make: () => string): string => {
    const value = secret.data?.[key] ?? '';
    return value === '' ? base64(make()) : value;
  };
  secret.metadata.annotations = { ...secret.metadata.annotations, [NAME]: name, [UID]: uid };
  return {
    ...secret,
    data: {
      ...secret.data,
      'ca.crt': base64(caBundle(tenant)),
      namespace: kept('namespace', () => namespace),
      token: kept('token', () =>
        sign(tenant, { namespace, serviceAccount: { name, uid }, secretName }),
      ),
    },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The account is gone: so are its tokens. */
async function syncAccount(
  deps: ServiceAccountTokensDeps,
  tenant: Tenant,
  { namespace, name }: Place,
): Promise<void> {
  const { engine, secrets } = deps;
  for (const key of tokenKeys(deps, tenant, namespace)) {
    const entry = engine.store.read(tenant, key);
    if (entry === undefined) continue;
    const { metadata } = decodeStored(secrets, entry.value);
    if (metadata.annotations?.[NAME] !== name) continue;
    await syncSecret(deps, tenant, { namespace, name: metadata.name ?? '' });
  }
}

/** An account must not name a Secret that is gone. */
async function dropReference(
  { engine, secrets, serviceAccounts }: ServiceAccountTokensDeps,
  tenant: Tenant,
  { namespace, name, secretName }: Place & { secretName: string },
): Promise<void> {
  const target = { tenant, def: serviceAccounts, namespace, name };
  const names = (object: KubeObject | undefined): { name?: string }[] =>
    (object?.['secrets'] as { name?: string }[] | undefined) ?? [];
  const isNamed = names(findStored(engine, target)?.object).some(
    (each) => each.name === secretName,
  );
  // Made anew meanwhile, it is named rightly.
  if (!isNamed || findStored(engine, { tenant, def: secrets, namespace, name: secretName })) return;
  await updateObject(engine, {
    ...target,
    subresource: '',
    change: (current) => ({
      ...deepCopy(current),
      secrets: names(current).filter((each) => each.name !== secretName),
    }),
    user: SYSTEM_USER,
    dryRun: false,
    warn: noWarnings,
  }).catch(ignoreOvertaken);
}

function ignoreOvertaken(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
