import { isNotFound } from '@flotilla/machinery';
import { derOf } from '../../authn/certificates.ts';
import { parseCertificate } from '../../authn/parse-certificate.ts';
import { deleteObject } from '../../objects/delete-object.ts';
import type { Engine } from '../../objects/engine.ts';
import { findStored } from '../../objects/stored.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { BuiltinController } from '../controller.ts';
import { noWarnings, SYSTEM_USER } from '../system-user.ts';
import { changedRequest, isIssued, requestNames, type SigningRequest } from './request.ts';

const HOUR_MS = 60 * 60_000;
/** How long requests are kept once they are answered, or without an answer; upstream's times. */
const ANSWERED_MS = HOUR_MS;
const PENDING_MS = 24 * HOUR_MS;

/** Deletes requests that have served their purpose or never will. */
export function certificateCleaningController(
  engine: Engine,
  requests: ResourceDef,
): BuiltinController {
  return {
    name: 'certificatesigningrequest-cleaner',
    yields: true,
    initial: (tenant) => requestNames(engine, requests, tenant),
    concerns: (change) => changedRequest(requests, change),
    sync: async (tenant, name) => {
      const target = { tenant, def: requests, namespace: '', name };
      const request = findStored(engine, target)?.object as SigningRequest | undefined;
      if (request === undefined) return undefined;
      const ends = endOf(request);
      if (ends === undefined) return undefined;
      const leftMs = ends - engine.now().getTime();
      if (leftMs >= 0) return leftMs + 1;
      const { uid } = request.metadata;
      await deleteObject(engine, {
        ...target,
        options: uid === undefined ? {} : { preconditions: { uid } },
        user: SYSTEM_USER,
        warn: noWarnings,
      }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      return undefined;
    },
  };
}

/** When the request is to go; undefined while that cannot be said. */
function endOf(request: SigningRequest): number | undefined {
  const conditions = request.status?.conditions ?? [];
  const ends: number[] = [];
  if (conditions.length === 0) ends.push(after(request.metadata.creationTimestamp, PENDING_MS));
  for (const { type, lastUpdateTime } of conditions) {
    if (type === 'Denied' || type === 'Failed') ends.push(after(lastUpdateTime, ANSWERED_MS));
    if (type === 'Approved' && isIssued(request)) {
      ends.push(after(lastUpdateTime, ANSWERED_MS), expiry(request));
    }
  }
  const known = ends.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : Math.min(...known);
}

function after(time: string | null | undefined, ms: number): number {
  return time === null || time === undefined ? Number.NaN : new Date(time).getTime() + ms;
}

function expiry({ status }: SigningRequest): number {
  try {
    const pem = Buffer.from(status?.certificate ?? '', 'base64').toString('latin1');
    return parseCertificate(derOf(pem)).notAfter;
  } catch {
    // Another signer's certificate, in a form that is not known here: the hour decides.
    return Number.NaN;
  }
}
