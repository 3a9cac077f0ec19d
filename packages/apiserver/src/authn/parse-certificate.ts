import { x509 } from '@flotilla/machinery';
import {
  children,
  DerError,
  type DerValue,
  readAll,
  readObjectId,
  readOne,
  readText,
  readTime,
} from './der.ts';

const { OID } = x509;

/** The parts of a certificate that decide what it is good for. Its signature is not checked here. */
export interface ParsedCertificate {
  /** Lower-case hexadecimal. */
  readonly serialNumber: string;
  /** DER of the issuer's and the subject's name; names are compared as bytes. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Values of Kubernetes' UID attribute; more than one is an error of the issuer. */
  readonly uids: readonly string[];
  /** Milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority: boolean;
  /** How many authorities may follow below this one; undefined when there is no limit. */
  readonly pathLength: number | undefined;
  /** Undefined when the certificate does not say. */
  readonly mayCertify: boolean | undefined;
  readonly extendedKeyUsages: readonly string[] | undefined;
  /** DNS names and IP addresses (as hexadecimal bytes) it stands for. */
  readonly hosts: readonly string[];
  /** Whether it carries a critical extension that is not understood here. */
  readonly hasUnknownCritical: boolean;
}

const INTEGER = 0x02;
const BOOLEAN = 0x01;
const SET = 0x31;
const CERT_SIGN_BIT = 0x80 >> 5;

/** Reads a certificate; throws DerError when it is not one. */
export function parseCertificate(der: Buffer): ParsedCertificate {
  const [body] = children(readOne(der));
  if (body === undefined) throw new DerError('the certificate is empty');
  const fields = children(body);
  // The version comes first when it is not 1.
  const [serial, , issuer, validity, subject, , ...rest] =
    fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  if (
    serial === undefined ||
    issuer === undefined ||
    validity === undefined ||
    subject === undefined
  ) {
    throw new DerError('the certificate ends early');
  }
  const [notBefore, notAfter] = children(validity);
  if (notBefore === undefined || notAfter === undefined) throw new DerError('a time is missing');
  const names = nameParts(subject);
  const valuesOf = (oid: string): string[] =>
    names.filter((part) => part.oid === oid).map((part) => part.text());
  const extensions = rest.find((field) => field.tag === 0xa3);
  return {
    serialNumber: serial.content.toString('hex'),
    issuer: issuer.raw,
    subject: subject.raw,
    // Go takes the last one.
    commonName: valuesOf(OID.commonName).at(-1) ?? '',
    organizations: valuesOf(OID.organization),
    uids: valuesOf(OID.kubernetesUid),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    ...readExtensions(extensions),
  };
}

/** The attributes of a name, in their order. */
export function nameParts(name: DerValue): { oid: string; text: () => string }[] {
  return children(name).flatMap((relative) =>
    children(relative, SET).map((pair) => {
      const [type, value] = children(pair);
      if (type === undefined || value === undefined) throw new DerError('a name is malformed');
      return { oid: readObjectId(type), text: () => readText(value) };
    }),
  );
}

type Extensions = Pick<
  ParsedCertificate,
  'isAuthority' | 'pathLength' | 'mayCertify' | 'extendedKeyUsages' | 'hosts' | 'hasUnknownCritical'
>;

function readExtensions(wrapper: DerValue | undefined): Extensions {
  let isAuthority = false;
  let pathLength: number | undefined;
  let mayCertify: boolean | undefined;
  let extendedKeyUsages: string[] | undefined;
  let hosts: string[] = [];
  let hasUnknownCritical = false;
  const list = wrapper === undefined ? [] : children(readOne(wrapper.content));
  for (const item of list) {
    const [type, ...others] = children(item);
    const value = others.at(-1);
    if (type === undefined || value === undefined) throw new DerError('an extension is malformed');
    const critical = others[0]?.tag === BOOLEAN && others[0].content[0] !== 0;
    switch (readObjectId(type)) {
      case OID.basicConstraints: {
        const [ca, length] = children(readOne(value.content));
        isAuthority = ca?.tag === BOOLEAN && ca.content[0] !== 0;
        if (length?.tag === INTEGER)
          pathLength = length.content.readUIntBE(0, length.content.length);
        break;
      }
      case OID.keyUsage:
        mayCertify = ((readOne(value.content).content[1] ?? 0) & CERT_SIGN_BIT) !== 0;
        break;
      case OID.extendedKeyUsage:
        extendedKeyUsages = children(readOne(value.content)).map(readObjectId);
        break;
      case OID.subjectAltName:
        hosts = readHosts(value);
        break;
      case OID.subjectKeyId:
      case OID.authorityKeyId:
        break;
      default:
        hasUnknownCritical ||= critical;
    }
  }
  return { isAuthority, pathLength, mayCertify, extendedKeyUsages, hosts, hasUnknownCritical };
}

function readHosts(value: DerValue): string[] {
  return readAll(readOne(value.content).content).flatMap((general) => {
    if (general.tag === 0x82) return [general.content.toString('latin1')];
    if (general.tag === 0x87) return [general.content.toString('hex')];
    return [];
  });
}
