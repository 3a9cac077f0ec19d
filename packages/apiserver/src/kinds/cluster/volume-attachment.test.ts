import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const attachments = kindTester('storage.k8s.io/v1/VolumeAttachment');

test('volume attachments that break a rule are refused in the words of a real server', () => {
  attachments.refuses([
    [
      { spec: { attacher: '', nodeName: 'A', source: {} } },
      [
        'spec.attacher: Required value',
        'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
        "spec.nodeName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.attacher: Required value',
        "spec.attacher: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          attacher: 'A B',
          nodeName: 'n',
          source: { persistentVolumeName: '', inlineVolumeSpec: {} },
        },
      },
      [
        'spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
        "spec.attacher: Invalid value: \"A B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.source.persistentVolumeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: '' } } },
      [
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        "spec.source.persistentVolumeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          attacher: 'a',
          nodeName: 'n',
          source: {
            inlineVolumeSpec: {
              capacity: { storage: '1' },
              claimRef: {},
              accessModes: ['x'],
              persistentVolumeReclaimPolicy: 'Delete',
              nodeAffinity: {},
              storageClassName: 'x',
              volumeMode: 'Block',
              hostPath: { path: '/' },
            },
          },
        },
      },
      [
        'spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        'spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes',
        'spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes',
      ],
    ],
  ]);
});

test('volume attachments change only as far as a real server lets them', () => {
  attachments.plays([
    {
      object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
      steps: [
        {
          set: 'spec/nodeName',
          to: 'm',
          errors: [
            'spec: Invalid value: {"Attacher":"a","Source":{"PersistentVolumeName":"pv","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
          ],
        },
      ],
    },
    {
      object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
      subresource: 'status',
      steps: [
        {
          set: 'status',
          to: {
            attached: true,
            attachError: {
              message:
                'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
              errorCode: -1,
            },
          },
          errors: [
            'status.attachError.message: Too long: may not be more than 262144 bytes',
            'status.attachError.message: Too long: may not be more than 262144 bytes',
          ],
        },
        { set: 'status', to: { attached: true, attachmentMetadata: { a: 'b' } } },
      ],
    },
  ]);
});

test('volume attachments are stored with the defaults of a real server', () => {
  attachments.stores([
    [
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
      {
        spec: { attacher: 'a', source: { persistentVolumeName: 'pv' }, nodeName: 'n' },
        status: { attached: false },
      },
    ],
    [
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
      {
        spec: { attacher: 'a', source: { persistentVolumeName: 'pv' }, nodeName: 'n' },
        status: { attached: false },
      },
    ],
  ]);
});

test('volume attachments have the cells of a real server', () => {
  attachments.shows([
    [
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
      ['x', 'a', 'pv', 'n', false, '0s'],
    ],
    [
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
      ['x', 'a', 'pv', 'n', false, '0s'],
    ],
  ]);
});
