import { type Json, parseQuantity } from '@flotilla/machinery';

/**
 * The JSON in annotations of autoscalers. Anyone may have written it, so it is read against the shape it must have;
 * what does not fit counts as absent, as upstream ignores what it cannot decode.
 */

/** Copies what it knows of a value; throws when the value does not fit. */
type Reader = (value: unknown) => unknown;

class Misfit extends Error {}

const text: Reader = (value) => expect(typeof value === 'string', value);
const integer: Reader = (value) => expect(Number.isInteger(value), value);

/** Amounts may be numbers in JSON; they are texts ever after. */
const amount: Reader = (value) => {
  const written = typeof value === 'number' ? String(value) : value;
  if (typeof written !== 'string') throw new Misfit();
  parseQuantity(written);
  return written;
};

const selector = record({
  matchLabels: (value) => {
    if (typeof value !== 'object' || value === null) throw new Misfit();
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, text(member)]));
  },
  matchExpressions: list(record({ key: text, operator: text, values: list(text) })),
});

const reference = record({ kind: text, name: text, apiVersion: text });

const sources = {
  object: record({
    target: reference,
    metricName: text,
    targetValue: amount,
    currentValue: amount,
    selector,
    averageValue: amount,
  }),
  pods: record({
    metricName: text,
    targetAverageValue: amount,
    currentAverageValue: amount,
    selector,
  }),
  resource: resource(),
  containerResource: resource(),
  external: record({
    metricName: text,
    metricSelector: selector,
    targetValue: amount,
    targetAverageValue: amount,
    currentValue: amount,
    currentAverageValue: amount,
  }),
};

const rules = record({
  StabilizationWindowSeconds: integer,
  SelectPolicy: text,
  Policies: list(record({ Type: text, Value: integer, PeriodSeconds: integer })),
  Tolerance: amount,
});

const readers = {
  metrics: list(record({ type: text, ...sources })),
  conditions: list(
    record({ type: text, status: text, lastTransitionTime: text, reason: text, message: text }),
  ),
  behavior: record({ ScaleUp: rules, ScaleDown: rules }),
};

/** Metrics, or the states of metrics, in the flat form of autoscaling/v1. */
export function readMetrics(annotation: string | undefined): Json[] | undefined {
  return read(annotation, readers.metrics) as Json[] | undefined;
}

/** Conditions of an autoscaler. */
export function readConditions(annotation: string | undefined): Json[] | undefined {
  return read(annotation, readers.conditions) as Json[] | undefined;
}

/** Scaling behaviour, with the capital names of upstream's internal type. */
export function readBehavior(annotation: string | undefined): Json | undefined {
  return read(annotation, readers.behavior) as Json | undefined;
}

function read(annotation: string | undefined, reader: Reader): unknown {
  if (annotation === undefined) return undefined;
  try {
    return reader(JSON.parse(annotation));
  } catch {
    return undefined;
  }
}

function expect(fits: boolean, value: unknown): unknown {
  if (!fits) throw new Misfit();
  return value;
}

function list(item: Reader): Reader {
  return (value) => {
    if (!Array.isArray(value)) throw new Misfit();
    return value.map(item);
  };
}

function record(fields: Readonly<Record<string, Reader>>): Reader {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Misfit();
    const members = value as Json;
    const known = Object.entries(fields).flatMap(([key, reader]) => {
      const member = Object.hasOwn(members, key) ? members[key] : undefined;
      return member === undefined || member === null ? [] : [[key, reader(member)]];
    });
    return Object.fromEntries(known);
  };
}

function resource(): Reader {
  return record({
    name: text,
    targetAverageUtilization: integer,
    targetAverageValue: amount,
    currentAverageUtilization: integer,
    currentAverageValue: amount,
    container: text,
  });
}
