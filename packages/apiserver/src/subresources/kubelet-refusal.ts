import {
  badRequest,
  formatGroupResource,
  type GroupResource,
  internalError,
  refusalWords,
  StatusError,
} from '@flotilla/machinery';

/** What a kubelet's refusal is about. */
export interface RefusedRequest {
  readonly resource: GroupResource;
  readonly name: string;
}

/** A kubelet's refusal in the words the API server has for it. */
export function kubeletRefusal(
  code: number,
  body: string,
  { resource, name }: RefusedRequest,
): StatusError {
  if (code === 500) return internalError(body);
  if (code === 400) return badRequest(body);
  const [reason, message] = refusalWords(code, { said: body });
  // The empty place is that of a verb, which upstream leaves out here.
  const text = `${message} ( ${formatGroupResource(resource)} ${name})`;
  return new StatusError(code, reason, text, {
    name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.resource,
  });
}
