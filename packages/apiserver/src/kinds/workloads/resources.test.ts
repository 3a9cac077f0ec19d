import { describe } from 'node:test';
import { container, pod, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('resources', () => {
  refuses([
    {
      title: 'what cannot be overcommitted is requested in full',
      object: pod({
        containers: [
          container({
            resources: { limits: { 'nvidia.com/gpu': '2' }, requests: { 'nvidia.com/gpu': '1' } },
          }),
        ],
      }),
      errors: [
        'spec.containers[0].resources.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2',
      ],
    },
    {
      title: 'huge pages need cpu or memory',
      object: pod({
        containers: [container({ resources: { limits: { 'hugepages-2Mi': '4Mi' } } })],
      }),
      errors: ['spec.containers[0].resources: Forbidden: HugePages require cpu or memory'],
    },
    {
      title: 'claims must be declared by the pod',
      object: pod({
        containers: [
          container({
            resources: {
              claims: [{ name: 'a' }, { name: '' }, { name: 'a' }, { name: 'b', request: 'X' }],
            },
          }),
        ],
      }),
      errors: [
        'spec.containers[0].resources.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty',
        'spec.containers[0].resources.claims[1]: Required value',
        'spec.containers[0].resources.claims[2]: Duplicate value: "a"',
        'spec.containers[0].resources.claims[2]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty',
        "spec.containers[0].resources.claims[3].request: Invalid value: \"X\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.containers[0].resources.claims[3]: Not found: "b": must be one of the names in pod.spec.resourceClaims which is empty',
      ],
    },
    {
      title: 'a resource claim has one origin',
      object: pod({
        containers: [container({ resources: { claims: [{ name: 'zz' }] } })],
        resourceClaims: [
          { name: 'a' },
          { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' },
          { name: 'B', resourceClaimName: 'X' },
          { name: '' },
        ],
      }),
      errors: [
        'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
        'spec.resourceClaims[1].name: Duplicate value: "a"',
        'spec.resourceClaims[1]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        "spec.resourceClaims[2].name: Invalid value: \"B\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "spec.resourceClaims[2].resourceClaimName: Invalid value: \"X\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.resourceClaims[3].name: Required value',
        'spec.resourceClaims[3]: Invalid value: {"Name":"","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
        'spec.containers[0].resources.claims[0]: Not found: "zz": must be one of the names in pod.spec.resourceClaims: B, a',
      ],
    },
    {
      title: 'a pod asks for at least what its containers ask for',
      object: pod({
        containers: [container({ resources: { requests: { cpu: '500m' }, limits: { cpu: '1' } } })],
        resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
      }),
      errors: [
        'spec.resources.requests[cpu]: Invalid value: "100m": must be greater than or equal to aggregate container requests of 500m',
        'spec.resources.containers[0][cpu].limits: Invalid value: "1": must be less than or equal to pod limits of 200m',
      ],
    },
    {
      title: 'a pod as a whole has cpu, memory and huge pages',
      object: pod({
        resources: { requests: { 'ephemeral-storage': '1' }, claims: [{ name: 'x' }] },
      }),
      errors: [
        'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
        'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
        'spec.resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty',
      ],
    },
    {
      title: 'Windows pods have no resources of their own',
      object: pod({ os: { name: 'windows' }, resources: { requests: { cpu: '1' } } }),
      errors: ['spec.resources: Forbidden: may not be set for a windows pod'],
    },
  ]);
});
