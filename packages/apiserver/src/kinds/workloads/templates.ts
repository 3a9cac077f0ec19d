import type { ExistingPod } from './pod-options.ts';
import type { PodTemplateSpec } from './pod-types.ts';

/** A stored template as the starting point of an update. */
export function existingTemplate(template: PodTemplateSpec | undefined): ExistingPod | undefined {
  return template === undefined
    ? undefined
    : { spec: template.spec, annotations: template.metadata?.annotations };
}
