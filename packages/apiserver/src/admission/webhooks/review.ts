import { encodeJson, goQuote, type KubeObject, parseJson, parseYaml } from '@flotilla/machinery';
import { goJsonObjectProblem } from '../../kinds/core/go-json-problem.ts';
import type { Admission, UserInfo } from '../../objects/engine.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import { kindUnder } from '../matching/equivalents.ts';

/** Objects as the webhook wants to see them. */
export interface ReviewedObjects {
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
}

/** What a webhook answered, checked for form. */
export interface Verdict {
  readonly allowed: boolean;
  /** A JSON patch, decoded from base64. */
  readonly patch: Buffer | undefined;
  readonly patchType: string;
  readonly result: Readonly<Record<string, unknown>> | undefined;
  readonly warnings: readonly string[];
}

/** The first version in the webhook's list that we speak; undefined when there is none. */
export function reviewVersion(versions: readonly string[]): 'v1' | 'v1beta1' | undefined {
  return versions.find((each) => each === 'v1' || each === 'v1beta1') as 'v1' | 'v1beta1';
}

/** The body of the question, with everything upstream tells. */
export function reviewRequest(
  admission: Admission,
  { object, old }: ReviewedObjects,
  { uid, version, def }: { uid: string; version: 'v1' | 'v1beta1'; def: ResourceDef },
): Buffer {
  const { subresource, name, namespace, operation, user, dryRun, origin } = admission;
  const requestDef = admission.def;
  const review = {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      kind: gvk(kindUnder(admission, def)),
      resource: gvr(def),
      ...(subresource === '' ? {} : { subResource: subresource }),
      requestKind: gvk(kindUnder(admission, requestDef)),
      requestResource: gvr(requestDef),
      ...(subresource === '' ? {} : { requestSubResource: subresource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespace }),
      operation,
      userInfo: userInfo(user),
      object: object ?? null,
      oldObject: old ?? null,
      dryRun,
      options: operation === 'CONNECT' ? null : (origin?.options ?? ownOptions(operation)),
    },
  };
  return Buffer.from(encodeJson(review));
}

/** What our own controllers would have sent. */
function ownOptions(operation: 'CREATE' | 'UPDATE' | 'DELETE'): Record<string, string> {
  const kinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' };
  return { kind: kinds[operation], apiVersion: 'meta.k8s.io/v1' };
}

const gvk = ({ group, version, kind }: { group: string; version: string; kind: string }) => ({
  group,
  version,
  kind,
});

const gvr = ({ group, version, resource }: ResourceDef) => ({ group, version, resource });

/** A user as reviews show one: nothing that is empty. */
export function userInfo({
  name,
  uid = '',
  groups,
  extra = {},
}: UserInfo): Record<string, unknown> {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** The answer is no AdmissionReview at all. */
export class UnreadableReview extends Error {}

/** The answer is an AdmissionReview that breaks its rules. */
export class InvalidReview extends Error {}

/** Reads and checks an answer; `uid` and `version` are those of the question. */
export function readVerdict(
  body: Buffer,
  { uid, version, mutating }: { uid: string; version: 'v1' | 'v1beta1'; mutating: boolean },
): Verdict {
  const review = readReview(body);
  const { response } = review;
  if (response === undefined || response === null) {
    throw new InvalidReview('webhook response was absent');
  }
  const fields = readFields(response);
  // What came before v1 was never held to these rules.
  if (version === 'v1beta1') {
    const isPatched = mutating && fields.patch.length > 0;
    return {
      ...fields,
      patch: isPatched ? fields.patch : undefined,
      patchType: isPatched ? 'JSONPatch' : '',
    };
  }
  if (fields.uid !== uid) {
    throw new InvalidReview(`expected response.uid=${goQuote(uid)}, got ${goQuote(fields.uid)}`);
  }
  const { kind = '', apiVersion = '' } = review;
  if (kind !== 'AdmissionReview' || apiVersion !== 'admission.k8s.io/v1') {
    throw new InvalidReview(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${printed(apiVersion, kind)}`,
    );
  }
  if (mutating) checkPatch(fields);
  else if (fields.patch.length > 0) {
    throw new InvalidReview('validating webhook may not return response.patch');
  } else if (fields.patchType !== undefined) {
    throw new InvalidReview('validating webhook may not return response.patchType');
  }
  return {
    ...fields,
    patch: fields.patch.length > 0 ? fields.patch : undefined,
    patchType: fields.patchType ?? '',
  };
}

function printed(apiVersion: string, kind: string): string {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? `/${first}, Kind=${kind}` : `${first}/${second}, Kind=${kind}`;
}

function checkPatch({ patch, patchType }: Fields): void {
  if (patch.length > 0 && patchType === undefined) {
    throw new InvalidReview('webhook returned response.patch but not response.patchType');
  }
  if (patch.length === 0 && patchType !== undefined) {
    throw new InvalidReview('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') {
    throw new InvalidReview('webhook returned invalid response.patchType of ""');
  }
}

interface Review {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: unknown;
}

/** Upstream's reader takes YAML too, and says what it says about JSON in any case. */
function readReview(body: Buffer): Review {
  const text = body.toString('utf8');
  const unreadable = (why: string): UnreadableReview =>
    new UnreadableReview(`couldn't get version/kind; json parse error: ${why}`);
  let value: unknown;
  if (/^\s*\{/.test(text)) {
    const problem = goJsonObjectProblem(text);
    if (problem !== undefined) throw unreadable(problem);
    ({ value } = parseJson(body, { strict: false }));
  } else {
    value = yamlOf(text) ?? {};
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw unreadable(
      `json: cannot unmarshal ${goKind(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const review = (value ?? {}) as Record<string, unknown>;
  for (const name of ['kind', 'apiVersion']) {
    const found = review[name];
    if (found === undefined || found === null || typeof found === 'string') continue;
    throw unreadable(
      `json: cannot unmarshal ${goKind(found)} into Go struct field .${name} of type string`,
    );
  }
  return review as Review;
}

function yamlOf(text: string): unknown {
  try {
    return parseYaml(text).value;
  } catch (error) {
    throw new UnreadableReview(error instanceof Error ? error.message : String(error));
  }
}

interface Fields {
  readonly uid: string;
  readonly allowed: boolean;
  readonly result: Readonly<Record<string, unknown>> | undefined;
  readonly patch: Buffer;
  readonly patchType: string | undefined;
  readonly warnings: readonly string[];
}

/** How Go names the place of a field that does not fit. */
const AT = 'AdmissionResponse.response';

function readFields(response: unknown): Fields {
  const source = struct(response, 'AdmissionReview.response', 'v1.AdmissionResponse') ?? {};
  const patch = scalar<string>(source['patch'], 'string', { at: `${AT}.patch`, type: '[]uint8' });
  checkAnnotations(source['auditAnnotations']);
  return {
    uid: scalar<string>(source['uid'], 'string', { at: `${AT}.uid`, type: 'types.UID' }) ?? '',
    allowed:
      scalar<boolean>(source['allowed'], 'boolean', { at: `${AT}.allowed`, type: 'bool' }) ?? false,
    result: struct(source['status'], `${AT}.status`, 'v1.Status'),
    patch: decodeBase64(patch ?? ''),
    patchType: scalar<string>(source['patchType'], 'string', {
      at: `${AT}.patchType`,
      type: 'v1.PatchType',
    }),
    warnings: warningsOf(source['warnings']),
  };
}

function warningsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw misfit(value, `${AT}.warnings`, '[]string');
  return value.map(
    (each) => scalar<string>(each, 'string', { at: `${AT}.warnings`, type: 'string' }) ?? '',
  );
}

function checkAnnotations(value: unknown): void {
  const annotations = struct(value, `${AT}.auditAnnotations`, 'map[string]string') ?? {};
  for (const each of Object.values(annotations)) {
    scalar(each, 'string', { at: `${AT}.auditAnnotations`, type: 'string' });
  }
}

function decodeBase64(text: string): Buffer {
  const clean = text.replace(/[\r\n]/g, '');
  const wrong = /[^A-Za-z0-9+/=]|=(?=[^=])/.exec(clean);
  if (wrong !== null || clean.length % 4 !== 0) {
    throw new UnreadableReview(
      `illegal base64 data at input byte ${wrong?.index ?? clean.length - (clean.length % 4)}`,
    );
  }
  return Buffer.from(clean, 'base64');
}

function scalar<T>(
  value: unknown,
  wanted: 'string' | 'boolean',
  where: { at: string; type: string },
): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== wanted) throw misfit(value, where.at, where.type);
  return value as T;
}

function struct(
  value: unknown,
  at: string,
  type: string,
): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw misfit(value, at, type);
  return value as Record<string, unknown>;
}

function misfit(value: unknown, at: string, type: string): UnreadableReview {
  return new UnreadableReview(
    `json: cannot unmarshal ${goKind(value)} into Go struct field ${at} of type ${type}`,
  );
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
