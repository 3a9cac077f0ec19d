import { type Client, CustomResourceDefinitions } from '@flotilla/client';
import { isJsonObject, isNotFound, parseDuration } from '@flotilla/machinery';
import { Applications } from './kinds.ts';

/** How a KubeVela can be made to run a workflow again. */
export type RefreshMethod = 'restart-workflow' | 'publish-version';

/** `true` is taken off again by KubeVela 1.11 and later; a duration is a plan of the user's that stays. */
export const RESTART_WORKFLOW = 'app.oam.dev/restart-workflow';

/** While it is there, KubeVela runs the workflow again only when it changes. */
export const PUBLISH_VERSION = 'app.oam.dev/publishVersion';

/** KubeVela refuses Applications that have this and a publishVersion. */
const AUTO_UPDATE = 'app.oam.dev/autoUpdate';

/** What a refresh writes, or why it writes nothing. */
export type RefreshPlan =
  | { readonly does: 'write'; readonly annotations: Record<string, string>; readonly pins: boolean }
  | { readonly does: 'wait'; readonly every: string }
  | { readonly does: 'refuse'; readonly why: string };

/** Asks the served schema: where status can hold a scheduled restart, the annotation for it is understood. */
export async function refreshMethod(
  client: Pick<Client, 'get'>,
  signal: AbortSignal,
): Promise<RefreshMethod> {
  const { plural, group, version } = Applications;
  try {
    const { spec } = await client.get(
      CustomResourceDefinitions,
      { name: `${plural}.${group}` },
      { signal },
    );
    const served = spec?.versions.find(({ name }) => name === version);
    const path = ['schema', 'openAPIV3Schema', 'properties', 'status', 'properties'];
    const fields = path.reduce<unknown>(
      (at, key) => (isJsonObject(at) ? at[key] : undefined),
      served,
    );
    return isJsonObject(fields) && Object.hasOwn(fields, 'workflowRestartScheduledAt')
      ? 'restart-workflow'
      : 'publish-version';
  } catch (error) {
    // Applications may come from an aggregated server, of whose schema nothing is known.
    if (isNotFound(error)) return 'publish-version';
    throw error;
  }
}

/** What to write on an Application with these annotations. */
export function planRefresh(
  method: RefreshMethod,
  annotations: Readonly<Record<string, string>>,
  event: { readonly digest: string; readonly at: Date },
): RefreshPlan {
  if (method === 'restart-workflow') {
    const planned = annotations[RESTART_WORKFLOW];
    // Overwriting it would end the user's plan, as KubeVela takes `true` off when it is done.
    if (planned !== undefined && isDuration(planned)) return { does: 'wait', every: planned };
    return { does: 'write', annotations: { [RESTART_WORKFLOW]: 'true' }, pins: false };
  }
  const pins = (annotations[PUBLISH_VERSION] ?? '') === '';
  if (pins && annotations[AUTO_UPDATE] === 'true') {
    return {
      does: 'refuse',
      why: `${AUTO_UPDATE} allows no ${PUBLISH_VERSION}; restart its workflow by hand, or upgrade KubeVela to 1.11`,
    };
  }
  return { does: 'write', annotations: { [PUBLISH_VERSION]: publishVersion(event) }, pins };
}

/** As `vela cluster join` names it, with the event in place of the milliseconds. */
function publishVersion({ digest, at }: { readonly digest: string; readonly at: Date }): string {
  const time = at.toISOString().slice(0, 19).replace(/\D/g, '');
  return `clusterjoin-${time}-${digest}`;
}

function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}
