import { type Client, type Secret, Secrets } from '@flotilla/client';
import { MANAGED_LABEL } from '../../cluster-secret/names.ts';
import { FIELD_MANAGER } from '../secret/publish-secret.ts';
import { OUR_ANNOTATIONS } from '../secret/wanted-secret.ts';

/** Makes a cluster Secret one that nobody manages: usable, and not collected with its owner. */
export async function releaseSecret(
  client: Pick<Client, 'patch'>,
  { metadata }: Secret,
  { ownerUid, signal }: { readonly ownerUid: string | undefined; readonly signal: AbortSignal },
): Promise<Secret> {
  const { namespace, name = '', uid, resourceVersion, ownerReferences } = metadata;
  const others = ownerReferences?.filter((each) => each.uid !== ownerUid);
  const body = {
    metadata: {
      uid,
      resourceVersion,
      labels: { [MANAGED_LABEL]: null },
      annotations: Object.fromEntries(OUR_ANNOTATIONS.map((key) => [key, null])),
      ...(others === undefined ? {} : { ownerReferences: others }),
    },
  };
  const patch = { type: 'merge', body, fieldManager: FIELD_MANAGER, signal } as const;
  return await client.patch(Secrets, { namespace, name }, patch);
}
