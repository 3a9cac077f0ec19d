import { counter, type Metrics, readGauge, secondsHistogram } from '@flotilla/runtime';

/** Where the numbers of registrations go. Called within passes: it counts and never waits. */
export interface RegistrationMeter {
  readonly heartbeat: (ms: number) => void;
  readonly heartbeatFailed: (reason: string) => void;
  readonly rotationFailed: () => void;
  readonly driftCorrected: () => void;
  readonly detached: (result: 'Detached' | 'Orphaned' | 'NotOwned' | 'Failed') => void;
}

/** What gauges are read from at each scrape. */
export interface RegistrationReading {
  readonly namespace: string;
  readonly name: string;
  readonly phase: string;
  /** Milliseconds since 1970; undefined where the credential does not tell. */
  readonly expiresAt: number | undefined;
}

const nothing = (): void => {};

/** Counts nothing. */
export const silentMeter: RegistrationMeter = {
  heartbeat: nothing,
  heartbeatFailed: nothing,
  rotationFailed: nothing,
  driftCorrected: nothing,
  detached: nothing,
};

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const PREFIX = 'flotilla_registration';

/** Makes the instruments; a registry takes them once. */
export function createRegistrationMeter(
  registry: Metrics['registry'],
  {
    phases,
    read,
  }: {
    readonly phases: readonly string[];
    readonly read: () => Iterable<RegistrationReading>;
  },
): RegistrationMeter {
  const failures = counter(registry, {
    name: `${PREFIX}_heartbeat_failures_total`,
    help: 'Looks at members that failed, by reason',
    labels: ['reason'],
  });
  const detaches = counter(registry, {
    name: `${PREFIX}_detach_total`,
    help: 'Registrations that were deleted, by what became of their cluster Secret',
    labels: ['result'],
  });
  readPhases(registry, phases, read);
  readExpiry(registry, read);
  return {
    heartbeat: secondsHistogram(registry, {
      name: `${PREFIX}_heartbeat_seconds`,
      help: 'Time that looks at members took',
      labels: [],
      buckets: SECONDS,
    })({}),
    heartbeatFailed: (reason) => failures({ reason })(),
    rotationFailed: counter(registry, {
      name: `${PREFIX}_rotation_failures_total`,
      help: 'New credentials that could not be taken into use',
      labels: [],
    })({}),
    driftCorrected: counter(registry, {
      name: `${PREFIX}_drift_corrections_total`,
      help: 'Cluster Secrets that were put right after others had changed them',
      labels: [],
    })({}),
    detached: (result) => detaches({ result })(),
  };
}

function readPhases(
  registry: Metrics['registry'],
  phases: readonly string[],
  read: () => Iterable<RegistrationReading>,
): void {
  readGauge(
    registry,
    { name: `${PREFIX}_phase`, help: 'Registrations in each phase', labels: ['phase'] },
    () => {
      const counts = new Map(phases.map((phase) => [phase, 0]));
      for (const { phase } of read()) counts.set(phase, (counts.get(phase) ?? 0) + 1);
      return [...counts].map(([phase, count]) => [{ phase }, count] as const);
    },
  );
}

function readExpiry(
  registry: Metrics['registry'],
  read: () => Iterable<RegistrationReading>,
): void {
  readGauge(
    registry,
    {
      name: `${PREFIX}_credential_expiry_timestamp_seconds`,
      help: 'When the credential of a member ends',
      labels: ['namespace', 'name'],
    },
    () =>
      [...read()].flatMap(({ namespace, name, expiresAt }) =>
        expiresAt === undefined ? [] : [[{ namespace, name }, expiresAt / 1000] as const],
      ),
  );
}
