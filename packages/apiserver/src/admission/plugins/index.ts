import type { Operation } from '../../objects/engine.ts';
import { generateName } from '../../objects/metadata.ts';
import type { PluginFactory } from '../plugin.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { createLimitRanger } from './limit-ranger.ts';
import { createPodSecurity } from './pod-security/plugin.ts';
import { createPriority } from './priority.ts';
import { createResourceQuota } from './resource-quota.ts';
import { createServiceAccount } from './service-account.ts';

const isWrite = (operation: Operation): boolean => operation === 'CREATE' || operation === 'UPDATE';

/** The plug-ins of this folder; the chain puts them into upstream's order by their names. */
export const builtinPlugins: readonly PluginFactory[] = [
  ({ engine }) => ({ name: 'LimitRanger', handles: isWrite, ...createLimitRanger(engine.store) }),
  ({ engine, clock }) => ({
    name: 'ServiceAccount',
    handles: isWrite,
    ...createServiceAccount({
      store: engine.store,
      clock,
      generateName: (prefix) => generateName(prefix, engine),
    }),
  }),
  ({ engine }) => ({ name: 'PodSecurity', handles: isWrite, ...createPodSecurity(engine.store) }),
  ({ engine }) => ({ name: 'Priority', handles: isWrite, ...createPriority(engine.store) }),
  (deps) => ({ name: 'ResourceQuota', handles: isWrite, ...createResourceQuota(deps) }),
  () => ({
    name: 'DefaultTolerationSeconds',
    handles: isWrite,
    mutate: defaultTolerationSeconds,
  }),
];
