import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What every instrument is told. */
export interface InstrumentFacts<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

/** Values of labels. */
export type Labels<L extends string> = Readonly<Record<L, string>>;

/** Makes a counter of a registry; series appear when they are asked for. */
export function counter<L extends string>(
  registry: Registry,
  { name, help, labels }: InstrumentFacts<L>,
): (labels: Labels<L>) => () => void {
  const made = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
  return (values) => {
    const series = made.labels(values as never);
    series.inc(0);
    return () => series.inc();
  };
}

/** Makes a histogram of seconds that is told milliseconds. */
export function secondsHistogram<L extends string>(
  registry: Registry,
  { name, help, labels, buckets }: InstrumentFacts<L> & { readonly buckets: readonly number[] },
): (labels: Labels<L>) => (ms: number) => void {
  const made = new Histogram({
    name,
    help,
    labelNames: [...labels],
    buckets: [...buckets],
    registers: [registry],
  });
  return (values) => {
    made.zero(values as never);
    const series = made.labels(values as never);
    return (ms) => series.observe(ms / 1000);
  };
}

/** Makes a gauge that is set when something changes. */
export function gauge<L extends string>(
  registry: Registry,
  { name, help, labels }: InstrumentFacts<L>,
): (labels: Labels<L>, value: number) => void {
  const made = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
  return (values, value) => made.set(values as never, value);
}

/** Makes a gauge that is read at each scrape; series that are not read any more are gone. */
export function readGauge<L extends string>(
  registry: Registry,
  { name, help, labels }: InstrumentFacts<L>,
  read: () => Iterable<readonly [Labels<L>, number]>,
): void {
  const made = new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect: () => {
      made.reset();
      for (const [values, value] of read()) made.set(values as never, value);
    },
  });
}
