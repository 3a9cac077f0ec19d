import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { container, pod, updateRefusal } from './samples.cases.ts';

const refused =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const terms = (key: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
    },
  },
});

const gated = { schedulingGates: [{ name: 'g' }], nodeSelector: { x: 'y' }, affinity: terms('a') };

describe('updates of pods', () => {
  for (const { title, from = {}, to, errors } of [
    {
      title: 'the image may change',
      to: { containers: [container({ image: 'nginx:2' })] },
      errors: [],
    },
    {
      title: 'the image may not be taken away',
      to: { containers: [container({ image: '' })] },
      errors: ['spec.containers[0].image: Required value'],
    },
    {
      title: 'containers may not be added',
      to: { containers: [container(), container({ name: 'd' })] },
      errors: ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    },
    {
      title: 'a deadline may come nearer',
      from: { activeDeadlineSeconds: 10 },
      to: { activeDeadlineSeconds: 5 },
      errors: [],
    },
    {
      title: 'a deadline may not move away',
      from: { activeDeadlineSeconds: 10 },
      to: { activeDeadlineSeconds: 20 },
      errors: [
        'spec.activeDeadlineSeconds: Invalid value: 20: must be less than or equal to previous value',
      ],
    },
    {
      title: 'a deadline may not go away',
      from: { activeDeadlineSeconds: 10 },
      to: {},
      errors: [
        'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
      ],
    },
    {
      title: 'tolerations may be added and their seconds changed',
      from: { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }] },
      to: {
        tolerations: [
          { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
          { key: 'b', operator: 'Exists' },
        ],
      },
      errors: [],
    },
    {
      title: 'tolerations may not be taken away',
      from: { tolerations: [{ key: 'a', operator: 'Exists' }] },
      to: {},
      errors: [
        'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
      ],
    },
    {
      title: 'gates may be opened',
      from: gated,
      to: { ...gated, schedulingGates: [] },
      errors: [],
    },
    {
      title: 'gates may not be added',
      from: gated,
      to: { ...gated, schedulingGates: [{ name: 'other' }] },
      errors: [
        "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'other'",
      ],
    },
    {
      title: 'a gated pod may ask for more of its node',
      from: gated,
      to: { ...gated, nodeSelector: { x: 'y', z: 'w' } },
      errors: [],
    },
    {
      title: 'a gated pod may not ask for something else',
      from: gated,
      to: { ...gated, nodeSelector: { x: 'q' }, affinity: terms('b') },
      errors: [
        'spec.nodeSelector: Invalid value: {"x":"q"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)',
      ],
    },
    {
      title: 'any other change is shown as a diff of the internal spec',
      to: { hostname: 'x' },
      errors: [
        `${refused}
@@ -64,7 +64,7 @@
   "SELinuxChangePolicy": null
  },
  "ImagePullSecrets": null,
- "Hostname": "",
+ "Hostname": "x",
  "Subdomain": "",
  "SetHostnameAsFQDN": null,
  "Affinity": null,
`,
      ],
    },
    {
      title: 'the diff escapes what Go escapes',
      to: { containers: [container({ command: ['sh', '-c', 'a && b < c'] })] },
      errors: [
        `${refused}
@@ -5,7 +5,11 @@
   {
    "Name": "c",
    "Image": "nginx:1",
-   "Command": null,
+   "Command": [
+    "sh",
+    "-c",
+    "a \\u0026\\u0026 b \\u003c c"
+   ],
    "Args": null,
    "WorkingDir": "",
    "Ports": null,
`,
      ],
    },
  ]) {
    test(title, () => {
      const spec = { containers: [container()], ...to };

      assert.deepEqual(updateRefusal(pod(from), { spec }), errors);
    });
  }

  test('annotations that the kubelet reads do not change', () => {
    const annotations = {
      'kubernetes.io/config.mirror': 'x',
      'container.apparmor.security.beta.kubernetes.io/c': 'unconfined',
      other: 'y',
    };

    const errors = updateRefusal(pod({ nodeName: 'n' }), {
      metadata: { name: 'p', namespace: 'default', uid: 'u', annotations },
    }).filter((error) => error.includes('annotations'));

    assert.deepEqual(errors, [
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: may not add AppArmor annotations',
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation',
    ]);
  });
});
