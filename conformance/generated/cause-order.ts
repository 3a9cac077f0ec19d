interface Status {
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly causes?: readonly unknown[] };
}

// Of an applied object upstream may tell all problems or only the first that it comes across.
const UNTYPED = /^(failed to create typed (?:patch|live|new) object \(.*?\):)[\s\S]*$/;

/**
 * A Status whose causes are in no order, and every other value as it is: upstream finds several
 * problems of one object in the order of a Go map, which is chance, and its message repeats them.
 */
export function withoutCauseOrder(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { kind, details, message }: Status = body;
  if (typeof message === 'string' && UNTYPED.test(message)) {
    return { ...body, message: message.replace(UNTYPED, '$1 <problems>') };
  }
  const causes = details?.causes;
  if (kind !== 'Status' || causes === undefined || causes.length < 2) return body;
  const sorted = causes.map((cause) => JSON.stringify(cause)).sort();
  const [head = ''] = String(message).split(': ', 1);
  return { ...body, message: `${head}: <causes>`, details: { ...details, causes: sorted } };
}
