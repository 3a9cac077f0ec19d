export {
  authorityKeyId,
  basicConstraints,
  type CertificateDraft,
  encodeCertificate,
  extendedKeyUsage,
  hostName,
  type KeyUse,
  keyUsage,
  type NamePart,
  nameOf,
  subjectAltName,
  subjectKeyId,
} from './certificate.ts';
export {
  bitString,
  context,
  integer,
  objectId,
  octetString,
  sequence,
  setOf,
  utf8,
} from './der.ts';
export { OID } from './oids.ts';
