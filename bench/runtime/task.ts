import { defineKind, type KubeObject } from '@flotilla/machinery';
import type { Condition } from '@flotilla/runtime';

/** What the controllers reconcile. */
export interface Task extends KubeObject {
  spec: { settings: string };
  status: { round?: number; setting?: string; conditions?: Condition[] };
}

/** The kind. */
export const Tasks = defineKind<Task>({
  group: 'bench.flotilla.dev',
  version: 'v1',
  kind: 'Task',
  plural: 'tasks',
  namespaced: true,
});
