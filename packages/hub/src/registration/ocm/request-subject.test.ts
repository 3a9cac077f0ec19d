import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAgentsRequest } from './approve-requests.ts';
import type { CertificateSigningRequest } from './kinds.ts';
import { requestSubject } from './request-subject.ts';
import {
  agentSubject,
  certificateRequest,
  pemOf,
  type SubjectParts,
} from './testing/certificate-request.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('requestSubject', () => {
  test('reads names as they were written', () => {
    assert.deepEqual(requestSubject(certificateRequest(agentSubject('west'))), {
      commonName: 'system:open-cluster-management:west:agent-1',
      organizations: [
        'system:open-cluster-management:west',
        'system:open-cluster-management:managed-clusters',
      ],
    });
  });

  test('reads nothing that two readers could read differently', () => {
    const good = Buffer.from(certificateRequest(agentSubject('west')), 'base64').toString();

    for (const subject of [
      [],
      [['organization', 'o']],
      [
        ['commonName', 'one'],
        ['commonName', 'two'],
      ],
      [
        ['commonName', 'one'],
        ['organizationalUnit', 'unit'],
      ],
    ] satisfies SubjectParts[]) {
      assert.equal(requestSubject(certificateRequest(subject)), undefined);
    }
    for (const pem of [
      '',
      'not PEM',
      good.replace(/REQUEST/g, 'THING'),
      `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${good}`,
      `${good}${good}`,
      good.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\n\n'),
    ]) {
      assert.equal(requestSubject(base64(pem)), undefined);
    }
  });

  test('survives every way of being cut short, and every bit that flips', () => {
    const pem = Buffer.from(certificateRequest(agentSubject('west')), 'base64').toString();
    const der = Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ''), 'base64');
    for (let length = 0; length < der.length; length++) {
      assert.equal(requestSubject(base64(pemOf(der.subarray(0, length)))), undefined);
    }
    for (let at = 0; at < der.length; at++) {
      const changed = Buffer.from(der);
      changed[at] = (changed[at] ?? 0) ^ 0x80;
      requestSubject(base64(pemOf(changed)));
    }
  });
});

describe('isAgentsRequest', () => {
  const own = 'system:open-cluster-management:west';
  const request = (
    change: { label?: string; signerName?: string; username?: string; subject?: SubjectParts } = {},
  ): CertificateSigningRequest => ({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {
      name: 'west-abc',
      labels: { 'open-cluster-management.io/cluster-name': change.label ?? 'west' },
    },
    spec: {
      signerName: change.signerName ?? 'kubernetes.io/kube-apiserver-client',
      username:
        change.username ?? 'system:serviceaccount:open-cluster-management:flotilla-bootstrap-west',
      request: certificateRequest(change.subject ?? agentSubject('west')),
    },
  });

  test('knows what the agent asks for, with and without the common group', () => {
    const alone: SubjectParts = [
      ['organization', own],
      ['commonName', `${own}:agent-1`],
    ];

    assert.ok(isAgentsRequest(request(), 'west'));
    assert.ok(isAgentsRequest(request({ subject: alone }), 'west'));
  });

  test('takes nothing that differs in label, signer, requester or names', () => {
    const named = (commonName: string, ...organizations: string[]): SubjectParts => [
      ...organizations.map((one) => ['organization', one] as const),
      ['commonName', commonName],
    ];
    for (const change of [
      { label: 'east' },
      { signerName: 'kubernetes.io/kubelet-serving' },
      { username: 'system:serviceaccount:open-cluster-management:flotilla-bootstrap-east' },
      { username: 'system:serviceaccount:open-cluster-management:agent-registration-bootstrap' },
      { username: `${own}:agent-1` },
      { subject: agentSubject('east') },
      { subject: named(`${own}:agent-1`) },
      { subject: named(`${own}:agent-1`, 'system:masters') },
      { subject: named(`${own}:agent-1`, own, 'system:masters') },
      { subject: named(`${own}:agent-1`, own, own) },
      { subject: named(`${own}:`, own) },
      { subject: named(own, own) },
      { subject: named(`${own}:agent-1:more`, own) },
      { subject: named(`${own}er:agent-1`, own) },
      { subject: named(`x${own}:agent-1`, own) },
      { subject: named('system:admin', own) },
    ]) {
      assert.ok(!isAgentsRequest(request(change), 'west'), JSON.stringify(change));
    }
    assert.ok(!isAgentsRequest({ ...request(), spec: {} }, 'west'));
  });
});
