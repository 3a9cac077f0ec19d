import type { Json, LabelSelector } from '@flotilla/machinery';
import type {
  CrossVersionReference,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValue,
} from './autoscaler-types.ts';

/** Metrics in the flat form of autoscaling/v1, where they live in annotations; field order is upstream's. */

/** A metric as the annotation of autoscaling/v1 has it. */
export function metricToV1(metric: MetricSpec): Json {
  const { type, object, pods, resource, containerResource, external } = metric;
  return compact({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value ?? '0',
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? '0',
      selector: pods.metric.selector,
    },
    resource: resource && flatTarget(resource),
    containerResource: containerResource && {
      ...flatTarget(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  });
}

/** A metric from the annotation of autoscaling/v1. */
export function metricFromV1(json: Json): MetricSpec {
  const { object, pods, resource, containerResource, external } = sources(json);
  return {
    type: String(json['type'] ?? ''),
    ...(object && {
      object: {
        describedObject: reference(object),
        target: target(object['averageValue'] === undefined ? 'Value' : 'AverageValue', {
          value: object['targetValue'],
          averageValue: object['averageValue'],
        }),
        metric: identifier(object, 'selector'),
      },
    }),
    ...(pods && {
      pods: {
        metric: identifier(pods, 'selector'),
        target: target('AverageValue', { averageValue: pods['targetAverageValue'] }),
      },
    }),
    ...(resource && {
      resource: { name: String(resource['name'] ?? ''), target: readTarget(resource) },
    }),
    ...(containerResource && {
      containerResource: {
        name: String(containerResource['name'] ?? ''),
        target: readTarget(containerResource),
        container: String(containerResource['container'] ?? ''),
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external, 'metricSelector'),
        target: target(external['targetValue'] === undefined ? 'AverageValue' : 'Value', {
          value: external['targetValue'],
          averageValue: external['targetAverageValue'],
        }),
      },
    }),
  };
}

/** The state of a metric as the annotation of autoscaling/v1 has it. */
export function metricStatusToV1(status: MetricStatus): Json {
  const { type, object, pods, resource, containerResource, external } = status;
  return compact({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value ?? '0',
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? '0',
      selector: pods.metric.selector,
    },
    resource: resource && flatCurrent(resource),
    containerResource: containerResource && {
      ...flatCurrent(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value ?? '0',
      currentAverageValue: external.current.averageValue,
    },
  });
}

/** The state of a metric from the annotation of autoscaling/v1. */
export function metricStatusFromV1(json: Json): MetricStatus {
  const { object, pods, resource, containerResource, external } = sources(json);
  return {
    type: String(json['type'] ?? ''),
    ...(object && {
      object: {
        metric: identifier(object, 'selector'),
        current: current({
          value: object['currentValue'] ?? '0',
          averageValue: object['averageValue'],
        }),
        describedObject: reference(object),
      },
    }),
    ...(pods && {
      pods: {
        metric: identifier(pods, 'selector'),
        current: current({ averageValue: pods['currentAverageValue'] ?? '0' }),
      },
    }),
    ...(resource && {
      resource: { name: String(resource['name'] ?? ''), current: readCurrent(resource) },
    }),
    ...(containerResource && {
      containerResource: {
        name: String(containerResource['name'] ?? ''),
        current: readCurrent(containerResource),
        container: String(containerResource['container'] ?? ''),
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external, 'metricSelector'),
        current: current({
          value: external['currentValue'] ?? '0',
          averageValue: external['currentAverageValue'],
        }),
      },
    }),
  };
}

function sources(json: Json): Readonly<Record<string, Json | undefined>> {
  return json as Record<string, Json | undefined>;
}

function flatTarget({ name, target: at }: { name: string; target: MetricTarget }): Json {
  return {
    name,
    targetAverageUtilization: at.averageUtilization,
    targetAverageValue: at.averageValue,
  };
}

function flatCurrent({ name, current: at }: { name: string; current: MetricValue }): Json {
  return {
    name,
    currentAverageUtilization: at.averageUtilization,
    currentAverageValue: at.averageValue ?? '0',
  };
}

function readTarget(json: Json): MetricTarget {
  const utilization = json['targetAverageUtilization'];
  return target(utilization === undefined ? 'AverageValue' : 'Utilization', {
    averageValue: json['targetAverageValue'],
    averageUtilization: utilization,
  });
}

function readCurrent(json: Json): MetricValue {
  return current({
    averageValue: json['currentAverageValue'] ?? '0',
    averageUtilization: json['currentAverageUtilization'],
  });
}

function reference(json: Json): CrossVersionReference {
  const target = json['target'] as CrossVersionReference | undefined;
  return { ...target, kind: target?.kind ?? '', name: target?.name ?? '' };
}

function identifier(json: Json, selectorField: string): MetricIdentifier {
  const selector = json[selectorField] as LabelSelector | undefined;
  return {
    name: String(json['metricName'] ?? ''),
    ...(selector === undefined ? {} : { selector }),
  };
}

function target(type: string, values: Json): MetricTarget {
  return { type, ...compact(values) };
}

function current(values: Json): MetricValue {
  return compact(values);
}

/** Without members that are not set, at every level. */
function compact<T extends Json>(value: T): T {
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => [
      key,
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? compact(member as Json)
        : member,
    ]);
  return Object.fromEntries(entries) as T;
}
