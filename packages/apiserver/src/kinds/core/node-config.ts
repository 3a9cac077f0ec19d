import {
  child,
  type FieldError,
  forbidden,
  invalid,
  isConfigMapKey,
  required,
} from '@flotilla/machinery';
import { validateDNSLabel, validateDNSSubdomain } from './fields.ts';

/** Dynamic kubelet configuration: removed upstream, but what nodes still carry is checked. */

interface ConfigMapSource {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
}

/** Where a node's configuration was to come from. */
export interface NodeConfigSource {
  configMap?: ConfigMapSource;
}

/** Which configuration a node reports. */
export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
}

/** The configuration a node asks for and the ones it reports. */
export function validateNodeConfig(
  source: NodeConfigSource | undefined,
  status: NodeConfigStatus | undefined,
): FieldError[] {
  const errors =
    source === undefined ? [] : validateSource(source, 'spec.configSource', forbidIdentity);
  for (const field of ['assigned', 'active', 'lastKnownGood'] as const) {
    const reported = status?.[field];
    if (reported === undefined) continue;
    errors.push(...validateSource(reported, child('status', 'config', field), requireIdentity));
  }
  return errors;
}

function validateSource(
  { configMap }: NodeConfigSource,
  path: string,
  identity: (source: ConfigMapSource, path: string) => FieldError[],
): FieldError[] {
  if (configMap === undefined) {
    const detail = 'exactly one reference subfield must be non-nil';
    return [invalid(path, { ConfigMap: null }, detail)];
  }
  const mapPath = child(path, 'configMap');
  return [...identity(configMap, mapPath), ...validateConfigMap(configMap, mapPath)];
}

function forbidIdentity({ uid, resourceVersion }: ConfigMapSource, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (uid) errors.push(forbidden(child(path, 'uid'), 'uid must not be set in spec'));
  if (resourceVersion) {
    const detail = 'resourceVersion must not be set in spec';
    errors.push(forbidden(child(path, 'resourceVersion'), detail));
  }
  return errors;
}

function requireIdentity({ uid, resourceVersion }: ConfigMapSource, path: string): FieldError[] {
  return [
    ...(uid ? [] : [required(child(path, 'uid'))]),
    ...(resourceVersion ? [] : [required(child(path, 'resourceVersion'))]),
  ];
}

function validateConfigMap(source: ConfigMapSource, path: string): FieldError[] {
  const { namespace, name, kubeletConfigKey: key } = source;
  const keyPath = child(path, 'kubeletConfigKey');
  return [
    ...(namespace === ''
      ? [required(child(path, 'namespace'))]
      : validateDNSLabel(namespace, child(path, 'namespace'))),
    ...(name === ''
      ? [required(child(path, 'name'))]
      : validateDNSSubdomain(name, child(path, 'name'))),
    ...(key === ''
      ? [required(keyPath)]
      : isConfigMapKey(key).map((message) => invalid(keyPath, key, message))),
  ];
}
