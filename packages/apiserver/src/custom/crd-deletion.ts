import { formatTime, type KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../kinds/behaviour.ts';
import { CLEANUP_FINALIZER, type CustomResourceDefinition, setCondition } from './crd.ts';

/** A CRD stays until its objects are gone, and says so. */
export const crdDeletion: Pick<KindBehaviour, 'holdOnDelete'> = {
  holdOnDelete: (object: KubeObject, now: Date) => {
    const crd = object as CustomResourceDefinition;
    const finalizers = crd.metadata.finalizers ?? [];
    if (!finalizers.includes(CLEANUP_FINALIZER)) {
      crd.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
    }
    const condition = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message:
        'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    } as const;
    const conditions = setCondition(crd.status?.conditions ?? [], condition, formatTime(now));
    crd.status = { ...crd.status, conditions };
  },
};
