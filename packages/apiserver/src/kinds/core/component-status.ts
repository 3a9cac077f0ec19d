import type { KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { nameCell } from './cells.ts';

interface ComponentStatus extends KubeObject {
  conditions?: { type: string; status: string; message?: string; error?: string }[];
}

/** How parts of the control plane are; read-only and computed. */
export const componentStatus: KindBehaviour<ComponentStatus> = {
  cells: (object) => {
    const healthy = (object.conditions ?? []).find(({ type }) => type === 'Healthy');
    if (healthy === undefined) return [nameCell(object), 'Unknown', '', ''];
    const status = healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [nameCell(object), status, healthy.message ?? '', healthy.error ?? ''];
  },
};
