import type { Verb } from '../verb.ts';

/** Loads a verb's module when it is called. */
export type LoadVerb = () => Promise<Verb>;

/**
 * Every verb by what is typed, in the order of names: one line each, so that nothing is loaded but what is called. A
 * second word belongs to the name (`auth can-i`); another name for a verb is a line of its own.
 */
export const verbs: Readonly<Record<string, LoadVerb>> = {
  __complete: async () => (await import('./complete/verb.ts')).completeVerb,
  'api-resources': async () => (await import('./api-resources/verb.ts')).apiResourcesVerb,
  'api-versions': async () => (await import('./api-versions/verb.ts')).apiVersionsVerb,
  'auth can-i': async () => (await import('./auth/verb.ts')).canIVerb,
  'auth whoami': async () => (await import('./auth/verb.ts')).whoamiVerb,
  'cache clear': async () => (await import('./cache/verb.ts')).cacheClearVerb,
  'cache show': async () => (await import('./cache/verb.ts')).cacheShowVerb,
  'cluster list': async () => (await import('./clusters/verb.ts')).clustersVerb,
  clusters: async () => (await import('./clusters/verb.ts')).clustersVerb,
  completion: async () => (await import('./completion/verb.ts')).completionVerb,
  'config set': async () => (await import('./config/verb.ts')).configSetVerb,
  'config view': async () => (await import('./config/verb.ts')).configViewVerb,
  credential: async () => (await import('./credential/verb.ts')).credentialVerb,
  describe: async () => (await import('./describe/verb.ts')).describeVerb,
  diff: async () => (await import('./diff/verb.ts')).diffVerb,
  doctor: async () => (await import('./doctor/verb.ts')).doctorVerb,
  each: async () => (await import('./each/verb.ts')).eachVerb,
  events: async () => (await import('./events/verb.ts')).eventsVerb,
  explain: async () => (await import('./explain/verb.ts')).explainVerb,
  get: async () => (await import('./get/verb.ts')).getVerb,
  kubeconfig: async () => (await import('./kubeconfig/verb.ts')).kubeconfigVerb,
  logs: async () => (await import('./logs/verb.ts')).logsVerb,
  setup: async () => (await import('./setup/verb.ts')).setupVerb,
  'top no': async () => (await import('./top/verb.ts')).topNodesVerb,
  'top node': async () => (await import('./top/verb.ts')).topNodesVerb,
  'top nodes': async () => (await import('./top/verb.ts')).topNodesVerb,
  'top po': async () => (await import('./top/verb.ts')).topPodsVerb,
  'top pod': async () => (await import('./top/verb.ts')).topPodsVerb,
  'top pods': async () => (await import('./top/verb.ts')).topPodsVerb,
  version: async () => (await import('./version/verb.ts')).versionVerb,
  wait: async () => (await import('./wait/verb.ts')).waitVerb,
};
