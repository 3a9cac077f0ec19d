import {
  patchOf,
  type WebhookBehaviour,
} from '../../packages/apiserver/src/testing/start-webhook.ts';

const raw =
  (text: string, status = 200, contentType = 'application/json'): WebhookBehaviour =>
  (_call, answer) => {
    answer.statusCode = status;
    answer.setHeader('content-type', contentType);
    answer.end(text);
    return undefined;
  };

/** Answers to a question, right and wrong. */
export const responses: Readonly<Record<string, WebhookBehaviour>> = {
  bare: () => ({ allowed: false }),
  message: () => ({ allowed: false, status: { message: 'not today' } }),
  reason: () => ({ allowed: false, status: { reason: 'BecauseISaySo' } }),
  code: () => ({ allowed: false, status: { code: 418, message: 'tea' } }),
  success: () => ({ allowed: false, status: { code: 200, status: 'Success', message: 'fine' } }),
  details: () => ({
    allowed: false,
    status: {
      code: 422,
      reason: 'Invalid',
      message: 'bad',
      details: { name: 'n', causes: [{ reason: 'FieldValueInvalid', message: 'm', field: 'f' }] },
    },
  }),
  warnings: () => ({ allowed: true, warnings: ['one', 'two', 'one'] }),
  annotations: () => ({ allowed: true, auditAnnotations: { key: 'value' } }),
  'other-uid': () => ({ uid: 'x', allowed: true }),
  'no-response': raw('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}'),
  'no-kind': ({ review }, answer) => {
    answer.end(JSON.stringify({ response: { uid: review.request.uid, allowed: true } }));
    return undefined;
  },
  'empty-object': raw('{}'),
  'null-body': raw('null'),
  'empty-body': raw(''),
  'no-json': raw('oops'),
  'half-json': raw('{"kind":'),
  'array-body': raw('[]'),
  'text-body': raw('hello', 200, 'text/html'),
  'wrong-allowed': () => ({ allowed: 'yes' }),
  'wrong-warnings': () => ({ allowed: true, warnings: 'w' }),
  'wrong-annotations': () => ({ allowed: true, auditAnnotations: { a: 1 } }),
  'wrong-status': () => ({ allowed: false, status: 'no' }),
  'wrong-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: '###' }),
  'validating-patch': () => ({ allowed: true, ...patchOf([]) }),
  'validating-patch-type': () => ({ allowed: true, patchType: 'JSONPatch' }),
  'error-text': raw('boom\n', 500, 'text/plain'),
  'error-json': raw('{"a":1}', 500),
  'error-status': raw(
    '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"my own","code":500}',
    500,
  ),
  'not-found': raw('no', 404, 'text/plain'),
  'bad-request': raw('no', 400, 'text/plain'),
  forbidden: raw('keep out', 403, 'text/plain'),
  unavailable: raw('later', 503, 'text/plain'),
  'closes-connection': (_call, answer) => {
    answer.socket?.destroy();
    return undefined;
  },
  'never-answers': () => undefined,
};

/** Patches, right and wrong. */
export const patches: Readonly<Record<string, WebhookBehaviour>> = {
  label: () => ({
    allowed: true,
    ...patchOf([{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]),
  }),
  nothing: () => ({ allowed: true, ...patchOf([]) }),
  'null-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: 'bnVsbA==' }),
  'object-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: 'e30=' }),
  'no-json-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: 'b29wcw==' }),
  'no-type': () => ({ allowed: true, patch: 'W10=' }),
  'no-patch': () => ({ allowed: true, patchType: 'JSONPatch' }),
  'empty-type': () => ({ allowed: true, ...patchOf([{ op: 'test', path: '' }]), patchType: '' }),
  'other-type': () => ({ allowed: true, ...patchOf([{ op: 'test', path: '' }]), patchType: 'F' }),
  'missing-path': () => ({ allowed: true, ...patchOf([{ op: 'remove', path: '/none' }]) }),
  'missing-replaced': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/none/deep', value: 1 }]),
  }),
  'failed-test': () => ({ allowed: true, ...patchOf([{ op: 'test', path: '/kind', value: 'X' }]) }),
  'other-kind': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/kind', value: 'Other' }]),
  }),
  'wrong-value': () => ({ allowed: true, ...patchOf([{ op: 'add', path: '/data', value: 5 }]) }),
  'invalid-object': () => ({
    allowed: true,
    ...patchOf([{ op: 'add', path: '/data', value: { 'a b': 'c' } }]),
  }),
  'unknown-field': () => ({ allowed: true, ...patchOf([{ op: 'add', path: '/x', value: 1 }]) }),
  'other-name': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/metadata/name', value: 'renamed' }]),
  }),
  'other-namespace': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/metadata/namespace', value: 'default' }]),
  }),
  refuses: () => ({ allowed: false, ...patchOf([{ op: 'remove', path: '/data' }]) }),
  'repeated-owners': () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
    return {
      allowed: true,
      ...patchOf([{ op: 'add', path: '/metadata/ownerReferences', value: [owner, owner] }]),
    };
  },
};

/** Adds one more of a label each time it is asked. */
export const addLabel =
  (name: string): WebhookBehaviour =>
  ({ review }) => {
    const { metadata } = review.request['object'] as { metadata: { labels?: object } };
    const count = Object.keys(metadata.labels ?? {}).length;
    const add = { op: 'add', path: `/metadata/labels/${name}-${count}`, value: 'yes' };
    const begin = { op: 'add', path: '/metadata/labels', value: {} };
    return { allowed: true, ...patchOf(count === 0 ? [begin, add] : [add]) };
  };
