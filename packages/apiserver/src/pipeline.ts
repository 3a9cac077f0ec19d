import { StatusError, unauthorized } from '@flotilla/machinery';
import { attributesOf, forbiddenFor } from './authz/attributes.ts';
import type { Authorizer } from './authz/rbac.ts';
import { errorFormat } from './handlers/negotiate.ts';
import { refusal, withWarnings } from './handlers/respond.ts';
import { type Exchange, type RouteDeps, route } from './handlers/route.ts';
import type { ApiRequest, ApiResponse, Handle } from './http/exchange.ts';
import { ClientGone } from './http/request-body.ts';
import type { UserInfo } from './objects/engine.ts';
import { type RequestInfo, requestInfo } from './resources/request-info.ts';
import { DamagedRecord, StoreUnavailable, type Tenant } from './storage/store.ts';

/** What the stages of a request need. */
export interface PipelineDeps {
  readonly resolveTenant: (request: ApiRequest) => { tenant: Tenant; request: ApiRequest };
  readonly authenticate: (request: ApiRequest, tenant: Tenant) => Promise<UserInfo>;
  /** Who the caller wants to act as, when it may; the caller otherwise. */
  readonly impersonate: (exchange: Exchange) => Promise<UserInfo>;
  readonly authorizer: Authorizer;
  /** Whether someone without credentials may be allowed things by policy. */
  readonly asksForAnonymous: boolean;
  /** Runs the rest of the request unless too many are under way. */
  readonly limit: (exchange: Exchange, next: () => Promise<ApiResponse>) => Promise<ApiResponse>;
  readonly route: RouteDeps;
  readonly report: (error: unknown) => void;
}

/** Every request passes these stages, in this order. The order is the security argument. */
export function pipeline(deps: PipelineDeps): Handle {
  return async (raw) => {
    const warnings: string[] = [];
    try {
      // Before authentication: each tenant has its own CA, keys and issuers.
      const { tenant, request } = deps.resolveTenant(raw);
      const caller = await deps.authenticate(request, tenant);
      const info = requestInfo(request.method, request.path, request.query);
      const exchange: Exchange = { request, tenant, info, user: caller, warnings };
      // After authentication, before authorization: the question is what the impersonated user may do.
      const user = await deps.impersonate(exchange);
      if (!deps.asksForAnonymous && isStranger(caller, info)) throw unauthorized('Unauthorized');
      const allowed: Exchange = { request, tenant, info, user, warnings };
      authorize(deps.authorizer, allowed);
      // After authorization, so that strangers cannot fill the queue of those who may ask.
      const answer = await deps.limit(exchange, () => route(deps.route, allowed));
      return withWarnings(answer, warnings);
    } catch (error) {
      // Nobody is left to be answered, and nothing went wrong on our side.
      if (error instanceof ClientGone) throw error;
      const answer = refusal(known(error), deps.report, errorFormat(raw.headers['accept']));
      return withWarnings(answer, warnings);
    }
  };
}

/** Health and version are for everyone; load balancers carry no credentials. */
const PUBLIC = /^\/(healthz|livez|readyz)(\/[A-Za-z0-9-]+)*$|^\/version\/?$/;

function isPublic(info: RequestInfo): boolean {
  return !info.isResource && info.verb === 'get' && PUBLIC.test(info.path);
}

/** Someone without credentials, where credentials are needed; who impersonates anonymous has shown theirs. */
function isStranger(caller: UserInfo, info: RequestInfo): boolean {
  return caller.name === 'system:anonymous' && !isPublic(info);
}

function authorize(authorizer: Authorizer, { tenant, user, info }: Exchange): void {
  if (isPublic(info)) return;
  const asked = attributesOf(user, info);
  const decision = authorizer.decide(tenant, asked);
  if (!decision.allowed) throw forbiddenFor(asked, decision.reason);
}

/** Storage errors that a client can do something about, or should at least hear of in words. */
function known(error: unknown): unknown {
  if (error instanceof StoreUnavailable) {
    return new StatusError(503, 'ServiceUnavailable', error.message, { retryAfterSeconds: 1 });
  }
  if (error instanceof DamagedRecord) {
    return new StatusError(500, 'StoreReadError', error.message);
  }
  return error;
}
