/** A group and one of its versions; the core group is ''. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A kind, with group and version. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** Splits an `apiVersion`; undefined when it has more than one slash. Empty gives empty parts, as upstream. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const parts = apiVersion.split('/');
  if (parts.length > 2) return undefined;
  return parts.length === 1
    ? { group: '', version: apiVersion }
    : { group: parts[0] ?? '', version: parts[1] ?? '' };
}

/** An `apiVersion` from its parts. */
export function formatGroupVersion(gv: GroupVersion): string {
  return gv.group === '' ? gv.version : `${gv.group}/${gv.version}`;
}

/** A kind as Go prints it in messages: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function formatGroupVersionKind(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}
