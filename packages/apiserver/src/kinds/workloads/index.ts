import type { KindBehaviour } from '../behaviour.ts';
import { controllerRevision } from './controller-revision.ts';
import { cronJob } from './cron-job.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { job } from './job.ts';
import { pod } from './pod.ts';
import { podTemplate } from './pod-template.ts';
import { replicaSet } from './replica-set.ts';
import { replicationController } from './replication-controller.ts';
import { statefulSet } from './stateful-set.ts';

/** Behaviours of the kinds that run containers, by `group/version/Kind` (the core group is ''). */
export const workloadKinds: Record<string, KindBehaviour> = {
  '/v1/Pod': pod,
  '/v1/PodTemplate': podTemplate,
  '/v1/ReplicationController': replicationController,
  'apps/v1/Deployment': deployment,
  'apps/v1/ReplicaSet': replicaSet,
  'apps/v1/StatefulSet': statefulSet,
  'apps/v1/DaemonSet': daemonSet,
  'apps/v1/ControllerRevision': controllerRevision,
  'batch/v1/Job': job,
  'batch/v1/CronJob': cronJob,
};
