import { child, type FieldError, forbidden, invalid, keyed } from '@flotilla/machinery';
import { amountOf } from '../core/quantity-fields.ts';
import { isHugePages } from '../core/resource-names.ts';
import type { ResourceList } from './api-values.ts';
import type { Container } from './container-types.ts';
import { isRestartable } from './containers-of.ts';
import type { PodSpec } from './pod-types.ts';
import { addQuantityTexts, compareQuantityTexts } from './quantities.ts';
import { type ResourceContext, resourceErrors } from './resources.ts';

/** Requests and limits of the pod as a whole, and how they fit those of its containers. */
export function podResourceErrors(
  spec: PodSpec,
  path: string,
  context: Omit<ResourceContext, 'level'>,
): FieldError[] {
  const { resources } = spec;
  if (resources == null) return [];
  const below = child(path, 'resources');
  if (spec.os?.name === 'windows') return [forbidden(below, 'may not be set for a windows pod')];
  return [
    ...(resources.claims == null
      ? []
      : [forbidden(child(below, 'claims'), 'claims may not be set for Resources at pod-level')]),
    ...resourceErrors(resources, below, { ...context, level: 'pod' }),
    ...consistencyErrors(spec, below),
  ];
}

/**
 * What the containers of a pod need together: the sum over those that run side by side, or more where an init
 * container (with the sidecars started before it) needs more.
 */
export function aggregateResources(spec: PodSpec, field: 'requests' | 'limits'): ResourceList {
  const of = (container: Container) => container.resources?.[field] ?? {};
  const total = (spec.containers ?? []).reduce<ResourceList>(
    (sum, container) => addLists(sum, of(container)),
    {},
  );
  let running = total;
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    if (isRestartable(container)) {
      running = addLists(running, of(container));
      sidecars = addLists(sidecars, of(container));
      starting = maxLists(starting, sidecars);
    } else {
      starting = maxLists(starting, addLists(of(container), sidecars));
    }
  }
  return maxLists(running, starting);
}

function consistencyErrors(spec: PodSpec, path: string): FieldError[] {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  const errors: FieldError[] = [];
  for (const [name, needed] of Object.entries(aggregateResources(spec, 'requests'))) {
    const given = amountOf(requests, name);
    if (given === undefined || compareQuantityTexts(needed, given) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${needed}`;
    errors.push(invalid(keyed(child(path, 'requests'), name), given, detail));
  }
  for (const [name, needed] of Object.entries(aggregateResources(spec, 'limits'))) {
    const given = amountOf(limits, name);
    if (!isHugePages(name) || given === undefined) continue;
    if (compareQuantityTexts(needed, given) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container limits of ${needed}`;
    errors.push(invalid(keyed(child(path, 'limits'), name), given, detail));
  }
  (spec.containers ?? []).forEach((container, index) => {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const given = amountOf(limits, name);
      if (given === undefined || compareQuantityTexts(limit, given) <= 0) continue;
      const below = child(keyed(`${child(path, 'containers')}[${index}]`, name), 'limits');
      errors.push(invalid(below, limit, `must be less than or equal to pod limits of ${given}`));
    }
  });
  return errors;
}

function addLists(a: ResourceList, b: ResourceList): ResourceList {
  const sum = { ...a };
  for (const [name, quantity] of Object.entries(b)) {
    const known = amountOf(sum, name);
    sum[name] = known === undefined ? quantity : addQuantityTexts(known, quantity);
  }
  return sum;
}

function maxLists(a: ResourceList, b: ResourceList): ResourceList {
  const most = { ...a };
  for (const [name, quantity] of Object.entries(b)) {
    const known = amountOf(most, name);
    if (known === undefined || compareQuantityTexts(quantity, known) > 0) most[name] = quantity;
  }
  return most;
}
