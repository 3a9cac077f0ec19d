import { GoDecodeError } from './pass.ts';

/** Seconds of 0001-01-01T00:00:00Z, which is Go's zero time. */
const FIRST_SECOND = -62_135_596_800;
/** Seconds of the last moment whose year has four digits. */
const LAST_SECOND = 253_402_300_799;

/** A protobuf timestamp as Time has it in JSON; fractions are dropped, as Kubernetes does. */
export function timeText(seconds: number | bigint): string | null {
  return Number(seconds) === FIRST_SECOND ? null : `${dateText(seconds)}Z`;
}

/** A protobuf timestamp as MicroTime has it in JSON. */
export function microTimeText(seconds: number | bigint, nanos: number): string | null {
  if (nanos < 0 || nanos > 999_999_999) throw outOfRange(seconds, nanos);
  const micros = Math.trunc(nanos / 1000);
  if (Number(seconds) === FIRST_SECOND && micros === 0) return null;
  return `${dateText(seconds)}.${String(micros).padStart(6, '0')}Z`;
}

function dateText(seconds: number | bigint): string {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) throw outOfRange(seconds, 0);
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
}

function outOfRange(seconds: number | bigint, nanos: number): GoDecodeError {
  return new GoDecodeError(`proto: timestamp out of range: seconds ${seconds}, nanos ${nanos}`);
}
