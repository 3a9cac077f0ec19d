import { isNotFound } from '@flotilla/machinery';
import type { Engine } from '../../objects/engine.ts';
import { findStored } from '../../objects/stored.ts';
import { updateObject } from '../../objects/update-object.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Tenant } from '../../storage/store.ts';
import type { BuiltinController } from '../controller.ts';
import { noWarnings, SYSTEM_USER } from '../system-user.ts';
import { changedRequest, requestNames, type SigningRequest } from './request.ts';

/** A controller's part in the life of a request. */
export interface Answering<T> {
  readonly name: string;
  readonly subresource: 'approval' | 'status';
  readonly isDue: (request: SigningRequest) => boolean;
  /** Undefined leaves the request to others. */
  readonly answer: (tenant: Tenant, request: SigningRequest) => T | undefined;
  readonly withAnswer: (request: SigningRequest, answer: T) => SigningRequest;
}

/** Looks at every request, answers those that are due, and writes the answer unless the request has moved on. */
export function answeringController<T>(
  engine: Engine,
  requests: ResourceDef,
  { name: controller, subresource, isDue, answer, withAnswer }: Answering<T>,
): BuiltinController {
  return {
    name: controller,
    yields: true,
    initial: (tenant) => requestNames(engine, requests, tenant),
    concerns: (change) => changedRequest(requests, change),
    sync: async (tenant, name) => {
      const target = { tenant, def: requests, namespace: '', name };
      const request = findStored(engine, target)?.object as SigningRequest | undefined;
      if (request === undefined || !isDue(request)) return undefined;
      const found = answer(tenant, request);
      if (found === undefined) return undefined;
      await updateObject(engine, {
        ...target,
        subresource,
        change: (current) => {
          const now = current as SigningRequest;
          if (!isDue(now) || now.metadata.uid !== request.metadata.uid) return now;
          return withAnswer(now, found);
        },
        user: SYSTEM_USER,
        dryRun: false,
        warn: noWarnings,
      }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      return undefined;
    },
  };
}
