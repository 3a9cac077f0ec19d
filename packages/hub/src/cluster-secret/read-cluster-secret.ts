import type { Secret } from '@flotilla/client';
import { isJsonObject } from '@flotilla/machinery';
import { SecretValue } from '@flotilla/runtime';
import { normalizeEndpoint } from './cluster-endpoint.ts';
import type { MemberAccess, MemberCredential } from './member-access.ts';
import {
  ALIAS_ANNOTATION,
  CREDENTIAL_TYPE_LABEL,
  ENDPOINT_TYPE_LABEL,
  GATEWAY_PREFIX,
  OUR_PREFIX,
  OWNER_ANNOTATION,
  OWNER_UID_ANNOTATION,
  SECRET_KEYS,
  VERSION_ANNOTATION,
} from './names.ts';

/** A cluster Secret, read as cluster-gateway reads it: whatever is wrong with it leaves a part undefined. */
export interface ClusterSecret {
  readonly name: string;
  /** ServiceAccountToken, X509Certificate, Dynamic, or anything else that stands there. */
  readonly credentialType: string;
  /** `Const` unless it is labelled. */
  readonly endpointType: string;
  /** As it is written, without the line end. */
  readonly endpoint: string | undefined;
  readonly alias: string | undefined;
  /** Those of users: nothing of the gateway's and nothing of ours. */
  readonly labels: Readonly<Record<string, string>>;
  readonly version: ClusterVersion | undefined;
  /** The registration it belongs to. */
  readonly owner: ClusterSecretOwner | undefined;
  /** Undefined where it leads nowhere: a Dynamic credential, no endpoint, a tunnel, half a credential. */
  readonly access: MemberAccess | undefined;
}

/** What the version annotation holds. */
export interface ClusterVersion {
  readonly major?: string;
  readonly minor?: string;
  readonly gitVersion?: string;
  readonly platform?: string;
}

/** The registration that a cluster Secret belongs to. */
export interface ClusterSecretOwner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Reads a Secret as a cluster; undefined for Secrets that are none, which lack the label. */
export function readClusterSecret(secret: Secret): ClusterSecret | undefined {
  const { name = '', labels = {}, annotations = {} } = secret.metadata;
  const credentialType = labels[CREDENTIAL_TYPE_LABEL];
  if (credentialType === undefined) return undefined;
  const endpointType = labels[ENDPOINT_TYPE_LABEL] ?? 'Const';
  const endpoint = textOf(secret, SECRET_KEYS.endpoint)?.replace(/\n$/, '') || undefined;
  return {
    name,
    credentialType,
    endpointType,
    endpoint,
    alias: annotations[ALIAS_ANNOTATION] || undefined,
    labels: Object.fromEntries(
      Object.entries(labels).filter(
        ([key]) => !key.startsWith(GATEWAY_PREFIX) && !key.startsWith(OUR_PREFIX),
      ),
    ),
    version: versionOf(annotations[VERSION_ANNOTATION]),
    owner: ownerOf(annotations),
    access:
      endpoint === undefined || endpointType !== 'Const'
        ? undefined
        : accessOf(secret, endpoint, credentialType),
  };
}

function accessOf(
  secret: Secret,
  written: string,
  credentialType: string,
): MemberAccess | undefined {
  const endpoint = normalizeEndpoint(written);
  const credential = credentialOf(secret, credentialType);
  if (endpoint === undefined || credential === undefined) return undefined;
  const proxyUrl = textOf(secret, SECRET_KEYS.proxyUrl)?.trim() || undefined;
  return {
    endpoint,
    // A key without a value is not the same as no key: it stands for the public authorities.
    ca: blankAsEmpty(textOf(secret, SECRET_KEYS.ca) ?? textOf(secret, SECRET_KEYS.oldCa)),
    credential,
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

function credentialOf(secret: Secret, type: string): MemberCredential | undefined {
  if (type === 'ServiceAccountToken') {
    const token = textOf(secret, SECRET_KEYS.token)?.trim() ?? '';
    return token === '' ? undefined : { type, token: new SecretValue(token) };
  }
  if (type !== 'X509Certificate') return undefined;
  // As they are: what is written and read again must be the same to the byte, or it looks changed.
  const certificate = blankAsEmpty(textOf(secret, SECRET_KEYS.certificate)) ?? '';
  const key = blankAsEmpty(textOf(secret, SECRET_KEYS.key)) ?? '';
  if (certificate === '' || key === '') return undefined;
  return { type, certificate, key: new SecretValue(key) };
}

function blankAsEmpty(text: string | undefined): string | undefined {
  return text?.trim() === '' ? '' : text;
}

/** The decoded value of a key; undefined where there is no such key. */
function textOf({ data = {} }: Secret, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}

function versionOf(text: string | undefined): ClusterVersion | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const fields = ['major', 'minor', 'gitVersion', 'platform'] as const;
  const version = Object.fromEntries(
    fields.flatMap((field) => (typeof value[field] === 'string' ? [[field, value[field]]] : [])),
  );
  return Object.keys(version).length === 0 ? undefined : version;
}

function ownerOf(annotations: Readonly<Record<string, string>>): ClusterSecretOwner | undefined {
  const [namespace = '', name = '', ...rest] = (annotations[OWNER_ANNOTATION] ?? '').split('/');
  if (namespace === '' || name === '' || rest.length > 0) return undefined;
  return { namespace, name, uid: annotations[OWNER_UID_ANNOTATION] ?? '' };
}
