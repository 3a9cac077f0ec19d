import { type Client, ConfigMaps } from '@flotilla/client';
import { defineKind, isConflict, type KubeObject } from '@flotilla/machinery';
import {
  type Condition,
  type ConditionSet,
  type Controller,
  controllerReference,
  defineController,
  owns,
  type Pass,
  untilChanged,
} from '@flotilla/runtime';

/** A site as the CRD has it. */
export interface Site extends KubeObject {
  spec: { title: string };
  status: { page?: string; conditions?: Condition[] };
}

/** The kind, for clients and controllers. */
export const Sites = defineKind<Site>({
  group: 'guide.flotilla.dev',
  version: 'v1',
  kind: 'Site',
  plural: 'sites',
  namespaced: true,
});

/** What a Site reports and why, in the order in which a pass finds it out. */
export const siteConditions = {
  PagePublished: ['Published', 'WrittenByOthers'],
  Listed: ['Listed'],
} as const satisfies ConditionSet;

type SitePass = Pass<Site, typeof siteConditions>;

/** Keeps a page for every Site, and all of them in one directory. */
export function siteController(client: Client): Controller {
  return defineController({
    name: 'sites',
    for: Sites,
    // Whoever changes or deletes a page calls for a pass over its Site. We read none of them: metadata is enough.
    watches: [owns(ConfigMaps, { mode: 'metadata' })],
    conditions: siteConditions,
    finalizer: 'guide.flotilla.dev/unlist',
    concurrency: 4,
    reconcile: async (pass) => {
      await publishPage(pass, client);
      await writeEntry(pass, client, { [pass.key.name]: pass.observed.spec.title });
      pass.mark('Listed', 'Listed', 'The directory has it');
      pass.object.status.page = `configmap/${pass.key.name}`;
      return untilChanged;
    },
    // The page goes with its owner. The directory belongs to all, so the entry is ours to remove.
    finalize: (pass) => writeEntry(pass, client, {}),
  });
}

async function publishPage(pass: SitePass, client: Client): Promise<void> {
  const ownerReferences = [controllerReference(Sites, pass.object)];
  const metadata = { ...pass.key, ownerReferences };
  const data = { 'index.md': `# ${pass.observed.spec.title}\n` };
  const page = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  try {
    await client.apply(ConfigMaps, page, { fieldManager: 'sites', signal: pass.signal });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const message = `Cannot publish to configmap "${pass.key.name}": others wrote its text`;
    throw pass.waiting('PagePublished', 'WrittenByOthers', { message, afterMs: 30_000 });
  }
  pass.mark('PagePublished', 'Published', `In configmap "${pass.key.name}"`);
}

/** Each Site is a field manager of its own: what it applies no longer is gone, and other entries are not its. */
async function writeEntry(pass: SitePass, client: Client, data: Record<string, string>) {
  const metadata = { namespace: pass.key.namespace, name: 'sites' };
  const directory = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const fieldManager = `site-${pass.observed.metadata.uid}`;
  await client.apply(ConfigMaps, directory, { fieldManager, force: true, signal: pass.signal });
}
