import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { x509 } from '@flotilla/machinery';

const { bitString, context, integer, OID, objectId, octetString, sequence, setOf, utf8 } = x509;

/** What a test asks a certificate for. */
export interface Asked {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly dnsNames?: readonly string[];
  /** Signs with another key than the one it asks for. */
  readonly forged?: boolean;
}

/** A certificate signing request as kubectl users make them with openssl, and its key. */
export function certificateRequest(asked: Asked): { pem: string; key: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const part = (oid: string, text: string): Uint8Array =>
    setOf(sequence(objectId(oid), utf8(text)));
  const info = sequence(
    integer(Buffer.from([0])),
    sequence(
      ...(asked.groups ?? []).map((group) => part(OID.organization, group)),
      part(OID.commonName, asked.user),
    ),
    publicKey.export({ type: 'spki', format: 'der' }),
    context(0, attributes(asked.dnsNames ?? [])),
  );
  const signer = asked.forged === true ? newKey() : privateKey;
  const request = sequence(
    info,
    sequence(objectId(OID.ecdsaWithSha256)),
    bitString(sign('sha256', info, signer)),
  );
  const lines =
    Buffer.from(request)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  const begin = '-----BEGIN CERTIFICATE REQUEST-----';
  const end = '-----END CERTIFICATE REQUEST-----';
  return { pem: `${begin}\n${lines.join('\n')}\n${end}\n`, key: privateKey };
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function attributes(dnsNames: readonly string[]): Uint8Array {
  if (dnsNames.length === 0) return new Uint8Array();
  const names = sequence(...dnsNames.map((name) => context(2, Buffer.from(name), false)));
  const extensions = sequence(sequence(objectId(OID.subjectAltName), octetString(names)));
  return sequence(objectId(OID.extensionRequest), setOf(extensions));
}
