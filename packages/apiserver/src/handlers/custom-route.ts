import { badRequest, methodNotSupported, notFound } from '@flotilla/machinery';
import { pageNotFound } from '../http/plain-error.ts';
import type { Scope } from '../objects/engine.ts';
import { groupResource } from '../resources/resource.ts';

/**
 * Refuses requests to custom kinds that lead nowhere. Upstream serves them with a router of their own, which is laxer
 * than that of built-in kinds in what it takes, and worded differently in what it does not.
 */
export function checkCustomRoute({ def, info }: Scope): void {
  const inNamespace = info.namespace !== '';
  if (!def.namespaced && inNamespace) throw pageNotFound();
  if (def.namespaced && !inNamespace && !['list', 'watch'].includes(info.verb)) {
    throw pageNotFound();
  }
  if (info.subresource !== '') {
    const sub = def.subresources.get(info.subresource);
    if (sub === undefined) throw notFound(groupResource(def), info.name);
    if (!sub.verbs.includes(info.verb)) throw methodNotSupported(groupResource(def), info.verb);
    return;
  }
  if (!def.verbs.includes(info.verb)) throw methodNotSupported(groupResource(def), info.verb);
  if (info.parts.length < 2 && ['update', 'patch'].includes(info.verb)) {
    throw badRequest('name must be provided');
  }
}
