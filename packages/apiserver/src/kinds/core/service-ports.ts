import {
  at,
  child,
  duplicate,
  type FieldError,
  invalid,
  isValidPortName,
  isValidPortNum,
  notSupported,
  required,
} from '@flotilla/machinery';
import { validateDNSLabel, validateQualifiedName } from './fields.ts';
import type { Service } from './service-types.ts';

/** Protocols a port may speak, in the order messages list them. */
export const portProtocols = ['SCTP', 'TCP', 'UDP'];

/** The ports of a Service, each by itself. */
export function validateServicePorts({ spec }: Service): FieldError[] {
  const ports = spec.ports ?? [];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = at('spec.ports', index);
    const errors: FieldError[] = [];
    const name = port.name ?? '';
    if (name !== '') {
      errors.push(...validateDNSLabel(name, child(path, 'name')));
      if (names.has(name)) errors.push(duplicate(child(path, 'name'), name));
      names.add(name);
    } else if (ports.length > 1) errors.push(required(child(path, 'name')));
    errors.push(
      ...validatePortNumber(port.port, child(path, 'port')),
      ...validateProtocol(port.protocol, child(path, 'protocol')),
      ...validatePortNumberOrName(port.targetPort, child(path, 'targetPort')),
    );
    if (port.appProtocol !== undefined) {
      errors.push(...validateQualifiedName(port.appProtocol, child(path, 'appProtocol')));
    }
    return errors;
  });
}

/** A port number between 1 and 65535. */
export function validatePortNumber(port: number, path: string): FieldError[] {
  return isValidPortNum(port).map((message) => invalid(path, port, message));
}

/** A port by its number or by the name a container gives it. */
export function validatePortNumberOrName(port: number | string, path: string): FieldError[] {
  const messages = typeof port === 'number' ? isValidPortNum(port) : isValidPortName(port);
  return messages.map((message) => invalid(path, port, message));
}

/** A protocol, which must be set. */
export function validateProtocol(protocol: string | undefined, path: string): FieldError[] {
  if (!protocol) return [required(path)];
  return portProtocols.includes(protocol) ? [] : [notSupported(path, protocol, portProtocols)];
}
