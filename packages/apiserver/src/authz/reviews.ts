import { badRequest, formatTime, invalidObject, type KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../kinds/behaviour.ts';
import type { Scope, UserInfo } from '../objects/engine.ts';
import type { Attributes } from './attributes.ts';
import type { Authorizer } from './rbac.ts';

/** What a token turned out to be. */
export interface TokenVerdict {
  readonly user?: UserInfo;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

/** What reviews need to know. */
export interface ReviewDeps {
  readonly authorizer: Authorizer;
  readonly now: () => Date;
  readonly reviewToken: (
    tenant: string,
    token: string,
    audiences: readonly string[],
  ) => Promise<TokenVerdict>;
}

/** Answers one review: the object that was sent, with its status. */
export type Review = (
  deps: ReviewDeps,
  scope: Scope,
  object: KubeObject,
) => KubeObject | Promise<KubeObject>;

/** Kinds that are questions: they are answered and never stored. */
export const reviews: Readonly<Record<string, Review>> = {
  'authorization.k8s.io/subjectaccessreviews': (deps, scope, object) => {
    validate(scope, object);
    const spec = object['spec'] as AccessSpec;
    const user: UserInfo = {
      name: spec.user ?? '',
      groups: spec.groups ?? [],
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.extra === undefined ? {} : { extra: spec.extra }),
    };
    return answerAccess(deps, scope, { object, user });
  },
  'authorization.k8s.io/selfsubjectaccessreviews': (deps, scope, object) => {
    validate(scope, object);
    return answerAccess(deps, scope, { object, user: scope.user });
  },
  'authorization.k8s.io/localsubjectaccessreviews': (deps, scope, object) => {
    validate(scope, object);
    const spec = object['spec'] as AccessSpec;
    if ((spec.resourceAttributes?.namespace ?? '') !== scope.info.namespace) {
      throw badRequest(
        `spec.resourceAttributes.namespace must match namespace: ${scope.info.namespace}`,
      );
    }
    const user: UserInfo = { name: spec.user ?? '', groups: spec.groups ?? [] };
    return answerAccess(deps, scope, { object, user });
  },
  'authorization.k8s.io/selfsubjectrulesreviews': answerRules,
  'authentication.k8s.io/selfsubjectreviews': ({ now }, { user }, object) => ({
    ...object,
    metadata: { creationTimestamp: formatTime(now()) },
    status: { userInfo: userInfo(user) },
  }),
  'authentication.k8s.io/tokenreviews': async (deps, scope, object) => {
    const spec = object['spec'] as { token?: string; audiences?: string[] };
    if (spec.token === undefined || spec.token === '') {
      throw badRequest('token is required for TokenReview in authentication');
    }
    const verdict = await deps.reviewToken(scope.tenant, spec.token, spec.audiences ?? []);
    return {
      ...object,
      metadata: {},
      status: {
        ...(verdict.user === undefined
          ? {}
          : { authenticated: true, user: userInfo(verdict.user) }),
        ...(verdict.audiences === undefined ? {} : { audiences: verdict.audiences }),
        ...(verdict.error === undefined ? {} : { error: verdict.error }),
      },
    };
  },
};

interface AccessSpec {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: string[];
  readonly extra?: Record<string, string[]>;
  readonly resourceAttributes?: {
    readonly namespace?: string;
    readonly verb?: string;
    readonly group?: string;
    readonly version?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly name?: string;
  };
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
}

function validate({ def, info }: Scope, object: KubeObject): void {
  const behaviour: KindBehaviour = def.behaviour;
  const context = {
    now: () => new Date(0),
    user: '',
    namespace: info.namespace,
    subresource: '',
  };
  const errors = behaviour.validate?.(object, context) ?? [];
  // Upstream has lost the kind by the time it writes this.
  if (errors.length > 0) throw invalidObject({ group: def.group, kind: '' }, '', errors);
}

function answerAccess(
  { authorizer }: ReviewDeps,
  scope: Scope,
  { object, user }: { object: KubeObject; user: UserInfo },
): KubeObject {
  const spec = object['spec'] as AccessSpec;
  const decision = authorizer.decide(scope.tenant, attributesFrom(spec, user));
  return {
    ...object,
    status: {
      allowed: decision.allowed,
      ...(decision.reason === '' ? {} : { reason: decision.reason }),
    },
  };
}

function attributesFrom(spec: AccessSpec, user: UserInfo): Attributes {
  const resource = spec.resourceAttributes;
  if (resource !== undefined) {
    return {
      user,
      verb: resource.verb ?? '',
      isResource: true,
      group: resource.group ?? '',
      version: resource.version ?? '',
      resource: resource.resource ?? '',
      subresource: resource.subresource ?? '',
      namespace: resource.namespace ?? '',
      name: resource.name ?? '',
      path: '',
    };
  }
  return {
    user,
    verb: spec.nonResourceAttributes?.verb ?? '',
    isResource: false,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: spec.nonResourceAttributes?.path ?? '',
  };
}

function answerRules({ authorizer }: ReviewDeps, scope: Scope, object: KubeObject): KubeObject {
  const namespace = (object['spec'] as { namespace?: string } | undefined)?.namespace ?? '';
  if (namespace === '') throw badRequest('no namespace on request');
  const held = authorizer.rulesFor(scope.tenant, scope.user, namespace);
  const resourceRules = held.rules
    .filter((rule) => (rule.resources ?? []).length > 0)
    .map((rule) => ({
      verbs: rule.verbs,
      apiGroups: rule.apiGroups ?? [],
      resources: rule.resources ?? [],
      ...((rule.resourceNames ?? []).length === 0 ? {} : { resourceNames: rule.resourceNames }),
    }));
  const nonResourceRules = held.rules
    .filter((rule) => (rule.nonResourceURLs ?? []).length > 0)
    .map((rule) => ({ verbs: rule.verbs, nonResourceURLs: rule.nonResourceURLs ?? [] }));
  return {
    kind: object.kind,
    apiVersion: object.apiVersion,
    metadata: {},
    spec: {},
    status: {
      resourceRules,
      nonResourceRules,
      incomplete: false,
      ...(held.missing.length === 0 ? {} : { evaluationError: held.missing.join(', ') }),
    },
  };
}

function userInfo(user: UserInfo): Record<string, unknown> {
  return {
    username: user.name,
    ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined || Object.keys(user.extra).length === 0
      ? {}
      : { extra: user.extra }),
  };
}
