import {
  at,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '@flotilla/machinery';
import { isIpv6 } from './ip-address.ts';
import { validateLegacyIp } from './ip-fields.ts';
import { HEADLESS, isHeadless, type Service } from './service-types.ts';

const families = ['IPv4', 'IPv6'];
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const IPS = 'spec.clusterIPs';
const FAMILIES = 'spec.ipFamilies';
const POLICY = 'spec.ipFamilyPolicy';
const fixed = 'may not change once set';

/** Cluster IPs, families and family policy, which must agree. Also asked before IPs are given out. */
export function validateClusterIps(service: Service, old: Service | undefined): FieldError[] {
  const { spec } = service;
  if (spec.type === 'ExternalName') return [];
  const ips = spec.clusterIPs ?? [];
  const errors = [...validateSingular(service), ...validateFamilies(service)];

  let broken = false;
  for (const [index, ip] of ips.entries()) {
    if (index === 0 && ip === HEADLESS) {
      if (ips.length > 1) {
        broken = true;
        errors.push(invalid(IPS, ips, "'None' must be the first and only value"));
      }
      continue;
    }
    const problems = validateLegacyIp(ip, at(IPS, index), old?.spec.clusterIPs);
    broken ||= problems.length > 0;
    errors.push(...problems);
  }
  if (ips.length > 2) errors.push(invalid(IPS, ips, 'may only hold up to 2 values'));
  // What follows would only repeat the trouble with broken addresses.
  if (broken) return errors;

  if (ips.length > 1 && new Set(ips.map(isIpv6)).size < 2) {
    errors.push(invalid(IPS, ips, 'may specify no more than one IP for each IP family'));
  }
  if (isHeadless(service)) return errors;
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    const ip = ips[index];
    if (ip === undefined || isIpv6(ip) === (family === 'IPv6') || !families.includes(family)) {
      continue;
    }
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(at(IPS, index), ip, detail));
  }
  return errors;
}

/** A second address may come and go; the first may not change unless the type is ExternalName before or after. */
export function validateClusterIpsUpdate(service: Service, old: Service): FieldError[] {
  if (service.spec.type === 'ExternalName' || old.spec.type === 'ExternalName') return [];
  return [...validateIpChange(service, old), ...validateFamilyChange(service, old)];
}

function validateSingular({ spec }: Service): FieldError[] {
  const ips = spec.clusterIPs ?? [];
  if (spec.clusterIP) {
    if (ips.length === 0) return [required(IPS)];
    return ips[0] === spec.clusterIP
      ? []
      : [invalid(IPS, ips, 'first value must match `clusterIP`')];
  }
  return ips.length === 0
    ? []
    : [invalid(IPS, ips, 'must be empty when `clusterIP` is not specified')];
}

function validateFamilies({ spec }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    const path = at(FAMILIES, index);
    if (!families.includes(family)) errors.push(notSupported(path, family, families));
    if (seen.has(family)) errors.push(duplicate(path, family));
    seen.add(family);
  }
  const policy = spec.ipFamilyPolicy;
  if (policy !== undefined && !familyPolicies.includes(policy)) {
    errors.push(notSupported(POLICY, policy, familyPolicies));
  }
  return errors;
}

function validateIpChange(service: Service, old: Service): FieldError[] {
  if (isHeadless(old) && isHeadless(service)) return [];
  const before = old.spec.clusterIPs ?? [];
  const after = service.spec.clusterIPs ?? [];
  // Upstream prints the list it has; a list that was never set prints as null.
  const shown = service.spec.clusterIPs ?? null;
  if (before.length === after.length) {
    return before.flatMap((ip, index) =>
      ip === after[index] ? [] : [invalid(at(IPS, index), shown, fixed)],
    );
  }
  const errors: FieldError[] = [];
  if (after.length === 0) {
    errors.push(invalid(at(IPS, 0), shown, 'primary clusterIP can not be unset'));
  } else if (before.length > 0 && after[0] !== before[0]) {
    errors.push(invalid(at(IPS, 0), shown, fixed));
  }
  if (before.length > after.length && after.length === 1) {
    errors.push(...validateRelease(service, 'clusterIP'));
  }
  return errors;
}

function validateFamilyChange(service: Service, old: Service): FieldError[] {
  if (isHeadless(old) || isHeadless(service)) return [];
  const before = old.spec.ipFamilies ?? [];
  const after = service.spec.ipFamilies ?? [];
  const path = at(FAMILIES, 0);
  if (before.length === after.length) {
    return before.flatMap((family, index) =>
      family === after[index] ? [] : [invalid(path, after, fixed)],
    );
  }
  const ips = service.spec.clusterIPs ?? null;
  const errors: FieldError[] = [];
  if (before.length > after.length && !service.spec.clusterIPs?.length) {
    errors.push(
      invalid(path, service.spec.ipFamilies ?? null, 'primary ipFamily can not be unset'),
    );
  }
  if (before.length > 0 && after.length > 0 && after[0] !== before[0]) {
    errors.push(invalid(path, ips, fixed));
  }
  if (before.length > after.length && after.length === 1) {
    errors.push(...validateRelease(service, 'ipFamily'));
  }
  return errors;
}

function validateRelease({ spec }: Service, what: string): FieldError[] {
  if (spec.ipFamilyPolicy === 'SingleStack') return [];
  return [
    invalid(
      POLICY,
      spec.ipFamilyPolicy ?? null,
      `must be set to 'SingleStack' when releasing the secondary ${what}`,
    ),
  ];
}
