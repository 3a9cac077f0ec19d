import { defineKind, type KubeObject } from '@flotilla/machinery';

/** KubeVela's Application, as far as placement goes; what its policies hold is anyone's JSON. */
export interface Application extends KubeObject {
  spec?: { policies?: unknown; [field: string]: unknown };
}

/** core.oam.dev/v1beta1 Applications. */
export const Applications = defineKind<Application>({
  group: 'core.oam.dev',
  version: 'v1beta1',
  kind: 'Application',
  plural: 'applications',
  namespaced: true,
});
