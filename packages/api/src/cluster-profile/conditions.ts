import type { ConditionSource } from '../schema/kind-source.ts';

/**
 * What our inventory says of a cluster. The types are upstream's; the reasons are those of the registration, and
 * these where there is nothing else to say.
 */
export const clusterProfileConditions = {
  ControlPlaneHealthy: {
    meaning:
      'The API server of the cluster answers us, and what we know of it is up to date. Its reason and message are those of its registration where that has some.',
    gatesReady: false,
    reasons: {
      True: ['Registered', 'Healthy'],
      False: ['Degraded', 'Failed'],
      Unknown: ['Pending', 'Progressing', 'Unmanaged', 'Suspended', 'Deleting', 'NotObserved'],
    },
  },
  Joined: {
    meaning: 'The hub holds what opens the cluster: its cluster Secret is there.',
    gatesReady: false,
    reasons: {
      True: ['Registered', 'SecretFound', 'Hub'],
      False: ['NotRegistered'],
      Unknown: [],
    },
  },
} as const satisfies Readonly<Record<string, ConditionSource>>;
