import { clusterRegistrationConditions, conditionSetOf } from '@flotilla/api';

/** What a ClusterRegistration reports, in the order in which a pass establishes it. */
export const registrationConditions = conditionSetOf(clusterRegistrationConditions);

/** A condition of a registration. */
export type ConditionType = keyof typeof registrationConditions;

/** The reasons that a condition of a registration can give with a status. */
export type ReasonFor<
  C extends ConditionType,
  S extends 'True' | 'False' | 'Unknown',
> = (typeof clusterRegistrationConditions)[C]['reasons'][S][number];
