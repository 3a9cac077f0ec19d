import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '../../authn/certificates.ts';
import { kindTester, NOW } from '../core/kind-tester.cases.ts';

const requests = kindTester('certificates.k8s.io/v1/CertificateSigningRequest');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Looks like a request from the outside, which is all that is checked here. */
const request = base64(
  '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n',
);
const certificate = base64(
  createAuthority('ca', { notBefore: new Date('2026-01-01'), notAfter: new Date('2027-01-01') })
    .certificate,
);
const spec = { request, signerName: 'example.com/signer', usages: ['client auth'] };
const conditions = 'status.conditions';

test('who asks is what the server knows, and nobody approves at birth', () => {
  const created = requests.create({
    spec: { ...spec, username: 'other', uid: 'u', groups: ['g'], extra: { a: ['b'] } },
    status: { conditions: [{ type: 'Approved', status: 'True' }] },
  });
  assert.deepEqual(created['spec'], { ...spec, username: 'admin', groups: ['system:masters'] });
  assert.deepEqual(created['status'], {});
});

test('requests that break a rule are refused in the words of a real server', () => {
  requests.refuses([
    [{ spec }, []],
    [
      { spec: {} },
      [
        'spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST',
        'spec.usages: Required value',
        'spec.signerName: Required value',
      ],
    ],
    [
      {
        spec: {
          request,
          signerName: 'kubernetes.io/legacy-unknown',
          usages: ['any', 'any'],
          expirationSeconds: 599,
        },
      },
      [
        'spec.usages[1]: Duplicate value: "any"',
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
        'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
      ],
    ],
    [
      { spec: { ...spec, signerName: 'a' } },
      [
        `spec.signerName: Invalid value: "a": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
      ],
    ],
    [
      { spec: { ...spec, signerName: 'a/b' } },
      [
        'spec.signerName: Invalid value: "a": should be a domain with at least two segments separated by dots',
      ],
    ],
  ]);
});

test('verdicts come through approval only, exclude each other and stay', () => {
  requests.plays([
    {
      object: { spec },
      subresource: 'approval',
      steps: [
        {
          set: 'status/conditions',
          to: [{ type: 'Approved', status: 'False' }],
          errors: [`${conditions}[0].status: Unsupported value: "False": supported values: "True"`],
        },
        { set: 'status/conditions', to: [{ type: 'Approved', status: 'True' }] },
        {
          set: 'status/conditions',
          to: [],
          errors: [
            `${conditions}: Forbidden: updates may not remove a condition of type "Approved"`,
          ],
        },
        {
          set: 'status/conditions',
          to: [
            { type: 'Approved', status: 'True' },
            { type: 'Denied', status: 'True' },
          ],
          errors: [
            `${conditions}: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive`,
          ],
        },
      ],
    },
    {
      object: { spec },
      subresource: 'status',
      steps: [
        {
          set: 'status/conditions',
          to: [{ type: 'Approved', status: 'True' }],
          errors: [`${conditions}: Forbidden: updates may not add a condition of type "Approved"`],
        },
        {
          set: 'status/certificate',
          to: base64('x'),
          errors: [
            'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
          ],
        },
        { set: 'status/certificate', to: certificate },
        {
          set: 'status/certificate',
          to: base64(`${Buffer.from(certificate, 'base64').toString()}\n`),
          errors: [
            'status.certificate: Forbidden: updates may not modify existing certificate content',
          ],
        },
      ],
    },
  ]);
});

test('conditions get the times they lack', () => {
  const old = requests.create({ spec });
  const next = { ...old, status: { conditions: [{ type: 'Approved', status: 'True' }] } };
  requests.behaviour.subresources?.['approval']?.prepareForUpdate(next, old, {
    now: () => new Date(NOW),
    user: 'admin',
    namespace: '',
    subresource: 'approval',
  });
  assert.deepEqual(next.status, {
    conditions: [
      { type: 'Approved', status: 'True', lastUpdateTime: NOW, lastTransitionTime: NOW },
    ],
  });
});

test('a request shows what has become of it', () => {
  requests.shows([
    [
      { spec: { ...spec, expirationSeconds: 3600 } },
      ['x', '0s', 'example.com/signer', 'admin', '60m', 'Pending'],
    ],
  ]);
  const object = requests.create({ spec });
  const shown = (status: object) =>
    requests.behaviour.cells?.({ ...object, status }, { now: new Date(NOW) }).at(-1);
  const approved = { type: 'Approved', status: 'True' };
  assert.equal(shown({ conditions: [approved], certificate }), 'Approved,Issued');
  assert.equal(shown({ conditions: [approved, { type: 'Denied', status: 'True' }] }), 'Denied');
  assert.equal(shown({ conditions: [{ type: 'Failed', status: 'True' }] }), 'Pending,Failed');
});
