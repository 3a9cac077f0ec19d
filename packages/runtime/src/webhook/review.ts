import { isJsonObject, type Json, type KubeObject } from '@flotilla/machinery';

/** Who asked the API server. */
export interface ReviewUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A group, version and kind as reviews name them. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What an API server wants to have reviewed (admission.k8s.io/v1 AdmissionRequest). */
export interface AdmissionRequest<T extends KubeObject = KubeObject> {
  readonly uid: string;
  readonly kind: ReviewKind;
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: ReviewUser;
  readonly object?: T | null;
  readonly oldObject?: T | null;
  readonly dryRun?: boolean;
  readonly options?: Json | null;
}

/** A body that is not what a path takes. */
export class BadReview extends Error {
  constructor(problem: string) {
    super(`Cannot read the review: ${problem}`);
    this.name = 'BadReview';
  }
}

/** The request inside a review of the given kind; every review has one, with a uid. */
export function requestIn(body: unknown, apiVersion: string, kind: string): Json & { uid: string } {
  if (!isJsonObject(body)) throw new BadReview('it is no JSON object');
  if (body['kind'] !== kind || body['apiVersion'] !== apiVersion) {
    const found = `${String(body['apiVersion'])} ${String(body['kind'])}`.slice(0, 200);
    throw new BadReview(`it is "${found}" instead of "${apiVersion} ${kind}"`);
  }
  const { request } = body;
  if (!isJsonObject(request) || typeof request['uid'] !== 'string' || request['uid'] === '') {
    throw new BadReview('it has no request with a uid');
  }
  return request as Json & { uid: string };
}
