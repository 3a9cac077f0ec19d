import { deepCopy } from '@flotilla/machinery';
import type { ScalingBehavior, ScalingRules } from './autoscaler-types.ts';

const scaleUpRules: ScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

/** Without a window of its own: how long to wait before scaling down is the controller's to say. */
const scaleDownRules: ScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** Behaviour with everything filled in that it leaves open; having any means having all. */
export function completeBehavior({ scaleUp, scaleDown }: ScalingBehavior): ScalingBehavior {
  return {
    scaleUp: { ...deepCopy(scaleUpRules), ...scaleUp },
    scaleDown: { ...deepCopy(scaleDownRules), ...scaleDown },
  };
}
