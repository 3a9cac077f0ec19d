import { type FieldError, forbidden, notSupported } from '@flotilla/machinery';

const plainSignals =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';

/** The signal that stops a container; which ones exist depends on the pod's system, so that must be given. */
export function stopSignalErrors(
  signal: string,
  path: string,
  os: string | undefined,
): FieldError[] {
  if (os === undefined) {
    return [forbidden(path, 'may not be set for containers with empty `spec.os.name`')];
  }
  const known = os === 'windows' ? ['SIGKILL', 'SIGTERM'] : os === 'linux' ? linuxSignals() : [];
  return known.length === 0 || known.includes(signal) ? [] : [notSupported(path, signal, known)];
}

function linuxSignals(): string[] {
  const names = plainSignals.split(' ').map((name) => `SIG${name}`);
  for (let index = 1; index <= 15; index++) names.push(`SIGRTMIN+${index}`);
  for (let index = 1; index <= 14; index++) names.push(`SIGRTMAX-${index}`);
  return names.sort();
}
