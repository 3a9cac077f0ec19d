import { generateKeyPairSync, sign } from 'node:crypto';
import { x509 } from '@flotilla/machinery';

const { bitString, context, integer, OID, objectId, sequence, setOf, utf8 } = x509;

/** Parts of a subject, in their order. */
export type SubjectParts = readonly (readonly [keyof typeof OID, string])[];

/** A certificate signing request for any subject, as the API has it: base64 of PEM. */
export function certificateRequest(subject: SubjectParts): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const info = sequence(
    integer(Uint8Array.of(0)),
    sequence(...subject.map(([type, text]) => setOf(sequence(objectId(OID[type]), utf8(text))))),
    publicKey.export({ type: 'spki', format: 'der' }),
    context(0, new Uint8Array()),
  );
  const request = sequence(
    info,
    sequence(objectId(OID.ecdsaWithSha256)),
    bitString(sign('sha256', info, privateKey)),
  );
  return Buffer.from(pemOf(request)).toString('base64');
}

/** The PEM of a request. */
export function pemOf(der: Uint8Array): string {
  const lines = Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines}\n-----END CERTIFICATE REQUEST-----\n`;
}

/** What the agent of a cluster asks for. */
export function agentSubject(cluster: string, agent = 'agent-1'): SubjectParts {
  const own = `system:open-cluster-management:${cluster}`;
  return [
    ['organization', own],
    ['organization', 'system:open-cluster-management:managed-clusters'],
    ['commonName', `${own}:${agent}`],
  ];
}
