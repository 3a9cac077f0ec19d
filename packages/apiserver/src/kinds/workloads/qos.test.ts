import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Container, ResourceRequirements } from './container-types.ts';
import { qosClass } from './qos.ts';

describe('qosClass', () => {
  const full = { cpu: '1', memory: '1Gi' };
  for (const { title, containers, resources, expected } of [
    { title: 'nothing asked for', containers: [{}], expected: 'BestEffort' },
    { title: 'zero asked for', containers: [{ requests: { cpu: '0' } }], expected: 'BestEffort' },
    {
      title: 'limits equal to requests everywhere',
      containers: [
        { limits: full, requests: full },
        { limits: full, requests: full },
      ],
      expected: 'Guaranteed',
    },
    {
      title: 'one container without limits',
      containers: [{ limits: full, requests: full }, {}],
      expected: 'Burstable',
    },
    { title: 'only requests', containers: [{ requests: { cpu: '1' } }], expected: 'Burstable' },
    {
      title: 'the pod as a whole',
      containers: [{}],
      resources: { limits: full, requests: full },
      expected: 'Guaranteed',
    },
  ]) {
    test(`${title} is ${expected}`, () => {
      const spec = {
        containers: containers.map((each) => ({ name: 'c', resources: each }) as Container),
        ...(resources === undefined ? {} : { resources: resources as ResourceRequirements }),
      };

      assert.equal(qosClass(spec), expected);
    });
  }
});
