import {
  at,
  byteLength,
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123SubdomainWithUnderscore,
  required,
  tooLong,
} from '@flotilla/machinery';
import { addressErrors } from './addresses.ts';
import type { PodSpec } from './pod-types.ts';
import { dnsSubdomainErrors, invalidEach } from './support.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const MAX_HOSTNAME = 64;

/** A pod's own resolver settings. */
export function dnsConfigErrors(spec: PodSpec, path: string): FieldError[] {
  const config = spec.dnsConfig;
  const servers = config?.nameservers ?? [];
  if (spec.dnsPolicy === 'None') {
    if (config === undefined) {
      return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    }
    if (servers.length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return [required(child(path, 'nameservers'), detail)];
    }
  }
  const searches = config?.searches ?? [];
  const searchesPath = child(path, 'searches');
  const errors: FieldError[] = [];
  if (servers.length > MAX_NAMESERVERS) {
    const detail = `must not have more than ${MAX_NAMESERVERS} nameservers`;
    errors.push(invalid(child(path, 'nameservers'), servers, detail));
  }
  servers.forEach((server, index) => {
    errors.push(...addressErrors(server, at(child(path, 'nameservers'), index)));
  });
  if (searches.length > MAX_SEARCHES) {
    const detail = `must not have more than ${MAX_SEARCHES} search paths`;
    errors.push(invalid(searchesPath, searches, detail));
  }
  if (byteLength(searches.join(' ')) > MAX_SEARCH_CHARACTERS) {
    const detail = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    errors.push(invalid(searchesPath, searches, detail));
  }
  searches.forEach((search, index) => {
    if (search === '.') return;
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    const messages = isDNS1123SubdomainWithUnderscore(name);
    errors.push(...invalidEach(at(searchesPath, index), name, messages));
  });
  (config?.options ?? []).forEach((option, index) => {
    if ((option.name ?? '') !== '') return;
    errors.push(required(at(child(path, 'options'), index), 'must not be empty'));
  });
  return errors;
}

/** Extra entries of a pod's hosts file. */
export function hostAliasErrors(spec: PodSpec, path: string): FieldError[] {
  return (spec.hostAliases ?? []).flatMap((alias, index) => [
    ...addressErrors(alias.ip, child(at(path, index), 'ip')),
    ...(alias.hostnames ?? []).flatMap((name, position) =>
      dnsSubdomainErrors(name, at(child(at(path, index), 'hostnames'), position)),
    ),
  ]);
}

/** A hostname that replaces the one the kubelet makes. */
export function hostnameOverrideErrors(spec: PodSpec, path: string): FieldError[] {
  const name = spec.hostnameOverride;
  if (name === undefined) return [];
  const below = child(path, 'hostnameOverride');
  return [
    ...(spec.setHostnameAsFQDN
      ? [forbidden(below, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
    ...(spec.hostNetwork
      ? [forbidden(below, 'may not be specified when hostNetwork is true')]
      : []),
    ...(byteLength(name) > MAX_HOSTNAME ? [tooLong(below, '', MAX_HOSTNAME)] : []),
    ...dnsSubdomainErrors(name, below),
  ];
}
