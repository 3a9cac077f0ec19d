import {
  type AuthorizerAnswer,
  type AuthorizerQuestion,
  CelAuthorizer,
  type CelBindings,
  CelResourceCheck,
} from '@flotilla/machinery/cel';
import type { Attributes } from '../../authz/attributes.ts';
import type { Authorizer } from '../../authz/rbac.ts';
import type { Admission, UserInfo } from '../../objects/engine.ts';

/** What expressions ask permissions with: `authorizer`, and `authorizer.requestResource` for the object at hand. */
export function authorizersOf(authorizer: Authorizer, admission: Admission): CelBindings {
  const { tenant, user, def, subresource, namespace, name } = admission;
  const value = new CelAuthorizer((question): AuthorizerAnswer => {
    const { allowed, reason } = authorizer.decide(tenant, attributesOf(question, user));
    return { allowed, reason };
  });
  return {
    authorizer: value,
    'authorizer.requestResource': new CelResourceCheck(value, {
      group: def.group,
      resource: def.resource,
      subresource,
      namespace,
      name,
      fieldSelector: '',
      labelSelector: '',
    }),
  };
}

const NOTHING = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };

function attributesOf(question: AuthorizerQuestion, requester: UserInfo): Attributes {
  const { verb } = question;
  const user = userOf(question, requester);
  if (question.kind === 'path') {
    return { ...NOTHING, user, verb, isResource: false, path: question.path };
  }
  const { group, resource, subresource, namespace, name } = question;
  const about = { group, version: '*', resource, subresource, namespace, name };
  return { ...about, user, verb, isResource: true, path: '' };
}

function userOf({ user }: AuthorizerQuestion, requester: UserInfo): UserInfo {
  if (user.kind === 'request') return requester;
  const { namespace, name } = user;
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
      'system:authenticated',
    ],
  };
}
