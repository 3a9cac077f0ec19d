import {
  deepCopy,
  formatFieldErrors,
  formatGroupVersionKind,
  goQuote,
  type Json,
  type KubeObject,
  ParseError,
  parseGroupVersion,
  parseJson,
  validateAnnotations,
  validateLabels,
} from '@flotilla/machinery';

/** A webhook's answer that cannot be used; the text is upstream's. */
export class BadConversion extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadConversion';
  }
}

/** The versions of ConversionReview we speak. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** The first version in the webhook's list that we speak. */
export function reviewVersion(versions: readonly string[]): ReviewVersion {
  const found = versions.find((each) => each === 'v1' || each === 'v1beta1');
  if (found === undefined) throw new BadConversion('no supported conversion review versions');
  return found as ReviewVersion;
}

/** What is asked, and what its answer is checked against. */
export interface Review {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly desired: string;
  readonly objects: readonly KubeObject[];
}

/** The question. */
export function reviewRequest({ uid, version, desired, objects }: Review): Json {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion: desired, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

/** The converted objects; metadata other than labels and annotations is that of the originals. */
export function readReview(review: Review, body: Buffer): KubeObject[] {
  const about = kindText(review.objects[0]);
  const refuse = (reason: string): never => {
    throw new BadConversion(`conversion webhook for ${about} failed: ${reason}`);
  };
  let answer: Json = {};
  try {
    answer = objectOf(parseJson(body).value) ?? refuse('no response provided');
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    refuse(error.message);
  }
  const converted = convertedObjects(review, answer, refuse);
  if (converted.length !== review.objects.length) {
    throw new BadConversion(
      `conversion webhook for ${about} returned ${converted.length} objects, expected ${review.objects.length}`,
    );
  }
  return review.objects.map((original, index) => {
    const problem = (text: string): never => {
      throw new BadConversion(
        `conversion webhook for ${about} returned invalid converted object at index ${index}: ${text}`,
      );
    };
    return checked(review, { original, converted: converted[index] }, problem);
  });
}

function convertedObjects(
  { uid, version }: Review,
  answer: Json,
  refuse: (reason: string) => never,
): unknown[] {
  const { apiVersion = '', kind = '' } = answer;
  const response = objectOf(answer['response']);
  if (version === 'v1') {
    const expected = { group: 'apiextensions.k8s.io', version, kind: 'ConversionReview' };
    if (apiVersion !== `apiextensions.k8s.io/${version}` || kind !== expected.kind) {
      const gv = parseGroupVersion(String(apiVersion)) ?? { group: '', version: '' };
      const got = formatGroupVersionKind({ ...gv, kind: String(kind) });
      refuse(`expected webhook response of ${formatGroupVersionKind(expected)}, got ${got}`);
    }
  }
  if (response === undefined) return refuse('no response provided');
  if (version === 'v1' && response['uid'] !== uid) {
    refuse(`expected response.uid=${goQuote(uid)}, got ${goQuote(String(response['uid'] ?? ''))}`);
  }
  const result = objectOf(response['result']) ?? {};
  if (result['status'] !== 'Success') {
    const message = String(result['message'] ?? '');
    const status = String(result['status'] ?? '');
    refuse(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  }
  const objects = response['convertedObjects'];
  return Array.isArray(objects) ? objects : [];
}

function checked(
  { desired }: Review,
  { original, converted }: { original: KubeObject; converted: unknown },
  problem: (text: string) => never,
): KubeObject {
  const object = objectOf(converted) ?? problem("Object 'Kind' is missing in 'null'");
  const { apiVersion = '', kind = '' } = object;
  if (apiVersion !== desired) {
    problem(`invalid groupVersion (expected ${desired}, received ${String(apiVersion)})`);
  }
  if (kind !== original.kind) {
    problem(`invalid kind (expected ${original.kind}, received ${String(kind)})`);
  }
  const metadata = objectOf(object['metadata']);
  if (metadata === undefined) return problem('missing metadata in converted object');
  const same = [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const;
  for (const [field, shown] of same) {
    const before = original.metadata[field] ?? '';
    const after = metadata[field] ?? '';
    if (before !== after) problem(`must have the same ${shown}: ${before} != ${String(after)}`);
  }
  return { ...object, metadata: restored(original, metadata, problem) } as KubeObject;
}

/** A converter may change labels and annotations, nothing else about who an object is. */
function restored(
  original: KubeObject,
  metadata: Json,
  problem: (text: string) => never,
): KubeObject['metadata'] {
  const kept = deepCopy(original.metadata);
  for (const field of ['labels', 'annotations'] as const) {
    delete kept[field];
    const texts = metadata[field];
    if (texts === undefined || texts === null) continue;
    const map = objectOf(texts) ?? problem(`invalid metadata.${field} in converted object`);
    for (const [key, value] of Object.entries(map)) {
      if (typeof value !== 'string') {
        problem(`metadata.${field}[${key}] must be a string in converted object`);
      }
    }
    const strings = map as Record<string, string>;
    const errors =
      field === 'labels'
        ? validateLabels(strings, 'metadata.labels')
        : validateAnnotations(strings, 'metadata.annotation');
    if (errors.length > 0) problem(formatFieldErrors(errors));
    kept[field] = strings;
  }
  return kept;
}

/** A kind as Go prints it. */
export function kindText(object: KubeObject | undefined): string {
  const { apiVersion = '', kind = '' } = object ?? {};
  const gv = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  return formatGroupVersionKind({ ...gv, kind });
}

function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}
