import { forbiddenError, StatusError } from '@flotilla/machinery';
import type { UserInfo } from '../objects/engine.ts';
import type { RequestInfo } from '../resources/request-info.ts';

/** What authorization is asked: may this user do this? */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path of a request that names no resource. */
  readonly path: string;
}

/** The answer, with the reason reviews report. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** The question a request asks. */
export function attributesOf(user: UserInfo, info: RequestInfo): Attributes {
  return {
    user,
    verb: info.verb,
    isResource: info.isResource,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    path: info.path,
  };
}

/** The refusal clients see, in upstream's words. */
export function forbiddenFor(attributes: Attributes, reason: string): StatusError {
  const { isResource, group, resource, name } = attributes;
  const detail = reason === '' ? describe(attributes) : `${describe(attributes)}: ${reason}`;
  if (!isResource) {
    return new StatusError(403, 'Forbidden', `forbidden: ${detail}`, {});
  }
  return forbiddenError({ group, resource }, name, detail);
}

function describe({
  user,
  verb,
  isResource,
  group,
  resource,
  subresource,
  namespace,
  path,
}: Attributes): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  if (!isResource) return `${who} path ${JSON.stringify(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where =
    namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}
