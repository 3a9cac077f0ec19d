import { badRequest, type KubeObject } from '@flotilla/machinery';

interface Named {
  readonly name: string;
}

interface PodContainers {
  readonly containers?: readonly Named[];
  readonly initContainers?: readonly Named[];
  readonly ephemeralContainers?: readonly Named[];
}

/** The container a request is about: the one it names, or the only one there is. */
export function chosenContainer(pod: KubeObject, wanted: string): string {
  const spec = (pod['spec'] ?? {}) as PodContainers;
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  const podName = pod.metadata.name ?? '';
  if (wanted !== '') {
    if (names.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${podName}`);
  }
  const [only] = containers;
  if (containers.length === 1 && only !== undefined) return only.name;
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${names.join(' ')}]`,
  );
}
