import { isDNS1123Label, isDNS1123Subdomain } from '../../validation/dns-names.ts';
import { boolType, stringType } from '../types.ts';
import { CelFault, CelOpaque, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, member } from './function.ts';
import {
  authorizerType,
  decisionType,
  groupCheckType,
  pathCheckType,
  resourceCheckType,
} from './opaque-types.ts';

/** Whom a check is about: the user of the request, or a service account that the expression names. */
export type AuthorizedUser =
  | { readonly kind: 'request' }
  | { readonly kind: 'service-account'; readonly namespace: string; readonly name: string };

/** What an expression asks the authorizer. */
export type AuthorizerQuestion =
  | {
      readonly kind: 'path';
      readonly user: AuthorizedUser;
      readonly path: string;
      readonly verb: string;
    }
  | ({
      readonly kind: 'resource';
      readonly user: AuthorizedUser;
      readonly verb: string;
    } & ResourceQuestion);

/** The resource that is asked about; what is not named is empty. */
export interface ResourceQuestion {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** What the authorizer says. */
export interface AuthorizerAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Answers at once: evaluation does not wait. */
export type Authorize = (question: AuthorizerQuestion) => AuthorizerAnswer;

abstract class IdentityValue extends CelOpaque {
  equals(other: CelOpaque): boolean {
    return this === other;
  }
}

/** The value of the variable `authorizer`. */
export class CelAuthorizer extends IdentityValue {
  readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly authorize: Authorize;
  readonly user: AuthorizedUser;

  constructor(authorize: Authorize, user: AuthorizedUser = { kind: 'request' }) {
    super();
    this.authorize = authorize;
    this.user = user;
  }
}

class PathCheck extends IdentityValue {
  readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly authorizer: CelAuthorizer;
  readonly path: string;

  constructor(authorizer: CelAuthorizer, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheck extends IdentityValue {
  readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly authorizer: CelAuthorizer;
  readonly group: string;

  constructor(authorizer: CelAuthorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** A check of a resource; also the value of `authorizer.requestResource`. */
export class CelResourceCheck extends IdentityValue {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly authorizer: CelAuthorizer;
  readonly question: ResourceQuestion;

  constructor(authorizer: CelAuthorizer, question: ResourceQuestion) {
    super();
    this.authorizer = authorizer;
    this.question = question;
  }
}

class Decision extends IdentityValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly answer: AuthorizerAnswer;

  constructor(answer: AuthorizerAnswer) {
    super();
    this.answer = answer;
  }
}

function serviceAccount(authorizer: CelAuthorizer, namespace: string, name: string): CelValue {
  if (isDNS1123Subdomain(name).length > 0) return new CelFault('Invalid service account name');
  if (isDNS1123Label(namespace).length > 0) {
    return new CelFault('Invalid service account namespace');
  }
  return new CelAuthorizer(authorizer.authorize, { kind: 'service-account', namespace, name });
}

function checkPath(authorizer: CelAuthorizer, path: string): CelValue {
  return path.trim() === ''
    ? new CelFault('path must not be empty')
    : new PathCheck(authorizer, path);
}

function checkResource({ authorizer, group }: GroupCheck, resource: string): CelValue {
  if (resource.trim() === '') return new CelFault('resource must not be empty');
  return new CelResourceCheck(authorizer, {
    group,
    resource,
    subresource: '',
    namespace: '',
    name: '',
    fieldSelector: '',
    labelSelector: '',
  });
}

const narrowing = (name: keyof ResourceQuestion): FunctionDecl =>
  define(
    name,
    member(`resourcecheck_${name.toLowerCase()}`, {
      args: [resourceCheckType, stringType],
      result: resourceCheckType,
      call: ({ authorizer, question }: CelResourceCheck, value: string) =>
        new CelResourceCheck(authorizer, { ...question, [name]: value }),
    }),
  );

/** Kubernetes' authorizer library. */
export const authorizerFunctions: readonly FunctionDecl[] = [
  define(
    'path',
    member('authorizer_path', {
      args: [authorizerType, stringType],
      result: pathCheckType,
      call: checkPath,
    }),
  ),
  define(
    'group',
    member('authorizer_group', {
      args: [authorizerType, stringType],
      result: groupCheckType,
      call: (authorizer: CelAuthorizer, group: string) => new GroupCheck(authorizer, group),
    }),
  ),
  define(
    'serviceAccount',
    member('authorizer_serviceaccount', {
      args: [authorizerType, stringType, stringType],
      result: authorizerType,
      call: serviceAccount,
    }),
  ),
  define(
    'resource',
    member('groupcheck_resource', {
      args: [groupCheckType, stringType],
      result: resourceCheckType,
      call: checkResource,
    }),
  ),
  narrowing('subresource'),
  narrowing('namespace'),
  narrowing('name'),
  narrowing('fieldSelector'),
  narrowing('labelSelector'),
  define(
    'check',
    member('pathcheck_check', {
      args: [pathCheckType, stringType],
      result: decisionType,
      call: ({ authorizer, path }: PathCheck, verb: string) =>
        new Decision(authorizer.authorize({ kind: 'path', user: authorizer.user, path, verb })),
    }),
    member('resourcecheck_check', {
      args: [resourceCheckType, stringType],
      result: decisionType,
      call: ({ authorizer, question }: CelResourceCheck, verb: string) =>
        new Decision(
          authorizer.authorize({ kind: 'resource', user: authorizer.user, verb, ...question }),
        ),
    }),
  ),
  define(
    'errored',
    member('decision_errored', {
      args: [decisionType],
      result: boolType,
      call: ({ answer }: Decision) => answer.error !== undefined,
    }),
  ),
  define(
    'error',
    member('decision_error', {
      args: [decisionType],
      result: stringType,
      call: ({ answer }: Decision) => answer.error ?? '',
    }),
  ),
  define(
    'allowed',
    member('decision_allowed', {
      args: [decisionType],
      result: boolType,
      call: ({ answer }: Decision) => answer.allowed,
    }),
  ),
  define(
    'reason',
    member('decision_reason', {
      args: [decisionType],
      result: stringType,
      call: ({ answer }: Decision) => answer.reason,
    }),
  ),
];
