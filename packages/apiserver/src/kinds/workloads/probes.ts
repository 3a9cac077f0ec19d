import {
  child,
  type FieldError,
  forbidden,
  invalid,
  isHTTPHeaderName,
  isValidPortName,
  isValidPortNum,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { Int64, IntOrString } from './api-values.ts';
import type { Container, Handler, Lifecycle, Probe } from './container-types.ts';
import { stopSignalErrors } from './stop-signals.ts';
import { invalidEach, nonNegative } from './support.ts';

/** What checks of probes and hooks need to know of the pod. */
export interface HandlerContext {
  readonly gracePeriod: Int64 | undefined;
  readonly os: string | undefined;
}

const schemes = ['HTTP', 'HTTPS'];

/** The three probes of a container, in upstream's order. */
export function probeErrors(
  container: Container,
  path: string,
  context: HandlerContext,
): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  const errors: FieldError[] = [];
  if (livenessProbe) {
    const below = child(path, 'livenessProbe');
    errors.push(...oneProbeErrors(livenessProbe, below, context));
    errors.push(...successThresholdErrors(livenessProbe, below));
  }
  if (readinessProbe) {
    const below = child(path, 'readinessProbe');
    errors.push(...oneProbeErrors(readinessProbe, below, context));
    if (readinessProbe.terminationGracePeriodSeconds !== undefined) {
      errors.push(
        invalid(
          child(below, 'terminationGracePeriodSeconds'),
          readinessProbe.terminationGracePeriodSeconds,
          'must not be set for readinessProbes',
        ),
      );
    }
  }
  if (startupProbe) {
    const below = child(path, 'startupProbe');
    errors.push(...oneProbeErrors(startupProbe, below, context));
    errors.push(...successThresholdErrors(startupProbe, below));
  }
  return errors;
}

/** Hooks around a container's life. */
export function lifecycleErrors(
  lifecycle: Lifecycle,
  path: string,
  context: HandlerContext,
): FieldError[] {
  const { postStart, preStop, stopSignal } = lifecycle;
  return [
    ...(postStart ? handlerErrors(postStart, child(path, 'postStart'), context) : []),
    ...(preStop ? handlerErrors(preStop, child(path, 'preStop'), context) : []),
    ...(stopSignal === undefined
      ? []
      : stopSignalErrors(stopSignal, child(path, 'stopSignal'), context.os)),
  ];
}

/** A port given as a number or by name. */
export function portErrors(port: IntOrString, path: string): FieldError[] {
  return typeof port === 'number'
    ? invalidEach(path, port, isValidPortNum(port))
    : invalidEach(path, port, isValidPortName(port));
}

function oneProbeErrors(probe: Probe, path: string, context: HandlerContext): FieldError[] {
  const errors = handlerErrors(probe, path, context);
  for (const field of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    errors.push(...nonNegative(probe[field], child(path, field)));
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    const below = child(path, 'terminationGracePeriodSeconds');
    errors.push(invalid(below, grace, 'must be greater than 0'));
  }
  return errors;
}

function successThresholdErrors(probe: Probe, path: string): FieldError[] {
  const value = probe.successThreshold ?? 0;
  return value === 1 ? [] : [invalid(child(path, 'successThreshold'), value, 'must be 1')];
}

function handlerErrors(handler: Handler, path: string, context: HandlerContext): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const type of ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const) {
    if (handler[type] == null) continue;
    const below = child(path, type);
    if (found) errors.push(forbidden(below, 'may not specify more than 1 handler type'));
    else errors.push(...actionErrors(handler, type, { below, context }));
    found = true;
  }
  return found ? errors : [required(path, 'must specify a handler type')];
}

function actionErrors(
  handler: Handler,
  type: keyof Handler,
  { below, context }: { below: string; context: HandlerContext },
): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (type === 'exec') {
    return (exec?.command ?? []).length === 0 ? [required(child(below, 'command'))] : [];
  }
  if (type === 'httpGet' && httpGet) return httpErrors(httpGet, below);
  if (type === 'tcpSocket' && tcpSocket) return portErrors(tcpSocket.port, child(below, 'port'));
  if (type === 'grpc' && grpc) return portErrors(grpc.port, child(below, 'port'));
  const seconds = sleep?.seconds ?? 0;
  const { gracePeriod } = context;
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const limit = `terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(below, seconds, `must be non-negative and less than ${limit}`)];
}

function httpErrors(http: NonNullable<Handler['httpGet']>, path: string): FieldError[] {
  const scheme = http.scheme ?? '';
  return [
    ...((http.path ?? '') === '' ? [required(child(path, 'path'))] : []),
    ...portErrors(http.port, child(path, 'port')),
    ...(schemes.includes(scheme) ? [] : [notSupported(child(path, 'scheme'), scheme, schemes)]),
    ...(http.httpHeaders ?? []).flatMap((header) =>
      invalidEach(child(path, 'httpHeaders'), header.name, isHTTPHeaderName(header.name)),
    ),
  ];
}
