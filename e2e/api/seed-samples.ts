// The manifests of the document that asked for ClusterRegistrations, as they stand there. They must stay acceptable.
import { sampleText } from '../../packages/hub/src/registration/seed/testing/samples.ts';

/** The whole example, with the status it shows. */
export const WHOLE = sampleText('registration');

/** Its three others: migration, a new cluster, GitOps (whose first document is a file of kustomize). */
export const OTHERS = [
  sampleText('migration'),
  sampleText('staging'),
  sampleText('flux').split('---\n')[1] ?? '',
];
