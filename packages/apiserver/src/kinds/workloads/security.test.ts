import { describe } from 'node:test';
import { container, pod, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('security contexts', () => {
  refuses([
    {
      title: 'identities and profiles of a container are checked',
      object: pod({
        containers: [
          container({
            securityContext: {
              runAsUser: -1,
              runAsGroup: 5000000000,
              procMount: 'Foo',
              seccompProfile: { type: 'Localhost' },
              appArmorProfile: { type: 'RuntimeDefault', localhostProfile: 'x' },
              windowsOptions: {
                runAsUserName: 'a\\b\\c',
                gmsaCredentialSpecName: 'A',
                gmsaCredentialSpec: '',
              },
            },
          }),
        ],
      }),
      errors: [
        'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.containers[0].securityContext.runAsGroup: Invalid value: 5000000000: must be between 0 and 2147483647, inclusive',
        'spec.containers[0].securityContext.procMount: Unsupported value: "Foo": supported values: "Default", "Unmasked"',
        'spec.containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
        "spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
        'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
        'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost',
      ],
    },
    {
      title: 'contradictions are refused with the whole context',
      object: pod({
        containers: [
          container({
            securityContext: {
              privileged: true,
              allowPrivilegeEscalation: false,
              procMount: 'Unmasked',
              capabilities: { add: ['CAP_SYS_ADMIN'] },
              seccompProfile: { type: 'Foo', localhostProfile: '../x' },
              appArmorProfile: { type: 'Localhost', localhostProfile: ' x' },
            },
          }),
        ],
      }),
      errors: [
        'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
        'spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "Foo": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
        'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"Foo","LocalhostProfile":"../x"}: can only be set when seccomp type is Localhost',
        'spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":"Unmasked","SeccompProfile":{"Type":"Foo","LocalhostProfile":"../x"},"AppArmorProfile":{"Type":"Localhost","LocalhostProfile":" x"}}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
        'spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":"Unmasked","SeccompProfile":{"Type":"Foo","LocalhostProfile":"../x"},"AppArmorProfile":{"Type":"Localhost","LocalhostProfile":" x"}}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: " x": must not be padded with whitespace',
      ],
    },
    {
      title: 'a profile needs a type',
      object: pod({
        containers: [
          container({
            securityContext: {
              seccompProfile: { type: '' },
              appArmorProfile: { type: '' },
              windowsOptions: { runAsUserName: 'a b/..\\x:y' },
            },
          }),
        ],
      }),
      errors: [
        'spec.containers[0].securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set',
        'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a b/..\\\\x:y": runAsUserName\'s Domain doesn\'t match the NetBios nor the DNS format',
        'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a b/..\\\\x:y": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
        'spec.containers[0].securityContext.appArmorProfile.type: Required value: type is required when appArmorProfile is set',
      ],
    },
    {
      title: 'identities, sysctls and profiles of a pod are checked',
      object: pod({
        hostPID: true,
        shareProcessNamespace: true,
        securityContext: {
          fsGroup: -1,
          runAsUser: -1,
          runAsGroup: -1,
          supplementalGroups: [-1],
          fsGroupChangePolicy: 'x',
          supplementalGroupsPolicy: 'x',
          seLinuxChangePolicy: 'MountOption',
          sysctls: [
            { name: '', value: '' },
            { name: 'A', value: '' },
            { name: 'kernel.sem', value: '1' },
            { name: 'kernel.sem', value: '1' },
          ],
          seccompProfile: { type: 'Localhost', localhostProfile: '/abs' },
        },
      }),
      errors: [
        'spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.runAsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
        'spec.securityContext.sysctls[0].name: Required value',
        'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
        'spec.securityContext.sysctls[3].name: Duplicate value: "kernel.sem"',
        'spec.securityContext.fsGroupChangePolicy: Unsupported value: "x": supported values: "Always", "OnRootMismatch"',
        'spec.securityContext.seccompProfile.localhostProfile: Invalid value: "/abs": must be a relative path',
        'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "x": supported values: "Merge", "Strict"',
        'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
      ],
    },
    {
      title: 'a pod in a namespace of the host cannot change its sysctls',
      object: pod({
        hostNetwork: true,
        hostIPC: true,
        securityContext: {
          sysctls: [
            { name: 'net.core.x', value: '1' },
            { name: 'net/core/y', value: '1' },
            { name: 'kernel.msgmax', value: '1' },
          ],
        },
      }),
      errors: [
        'spec.securityContext.sysctls[0].name: Invalid value: "net.core.x": may not be specified when \'hostNetwork\' is true',
        'spec.securityContext.sysctls[1].name: Invalid value: "net/core/y": may not be specified when \'hostNetwork\' is true',
        'spec.securityContext.sysctls[2].name: Invalid value: "kernel.msgmax": may not be specified when \'hostIPC\' is true',
      ],
    },
    {
      title: 'a pod with its own users shares no other namespace',
      object: pod({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
      errors: [
        'spec.hostNetwork: Forbidden: when `hostUsers` is false',
        'spec.HostPID: Forbidden: when `hostUsers` is false',
        'spec.HostIPC: Forbidden: when `hostUsers` is false',
      ],
    },
    {
      title: 'Windows pods have no fields of Linux',
      object: pod({
        containers: [
          container({ securityContext: { privileged: true, capabilities: {}, runAsUser: 1 } }),
        ],
        os: { name: 'windows' },
        hostPID: true,
        hostUsers: false,
        securityContext: {
          fsGroup: 1,
          runAsUser: 1,
          seLinuxOptions: { level: 'x' },
          sysctls: [{ name: 'a', value: 'b' }],
        },
      }),
      errors: [
        'spec.HostPID: Forbidden: when `hostUsers` is false',
        'spec.securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
        'spec.hostUsers: Forbidden: cannot be set for a windows pod',
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      ],
    },
    {
      title: 'Linux pods have no fields of Windows',
      object: pod({
        containers: [container({ securityContext: { windowsOptions: {} } })],
        os: { name: 'linux' },
        securityContext: { windowsOptions: { hostProcess: false } },
      }),
      errors: [
        'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
        'spec.containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
      ],
    },
    {
      title: 'there are two operating systems',
      object: pod({ os: { name: 'beos' } }),
      errors: ['spec.os: Unsupported value: "beos": supported values: "linux", "windows"'],
    },
    {
      title: 'an operating system has a name',
      object: pod({ os: { name: '' } }),
      errors: ['spec.os.name: Required value'],
    },
    {
      title: 'host process containers come all or none, on the host network',
      object: pod({
        containers: [
          container(),
          {
            name: 'd',
            image: 'nginx:1',
            securityContext: { windowsOptions: { hostProcess: false } },
          },
        ],
        securityContext: { windowsOptions: { hostProcess: true } },
      }),
      errors: [
        'spec.containers[1].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
    },
    {
      title: 'seccomp annotations are checked',
      object: pod(
        {},
        {
          annotations: {
            'seccomp.security.alpha.kubernetes.io/pod': 'foo',
            'container.seccomp.security.alpha.kubernetes.io/c': 'localhost/../x',
          },
        },
      ),
      errors: [
        'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "foo": must be a valid seccomp profile',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/c: Invalid value: "../x": must not contain \'..\'',
      ],
    },
    {
      title: 'annotation and field must agree',
      object: pod(
        { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
        { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
      ),
      errors: [
        'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
      ],
    },
    {
      title: 'AppArmor annotations name containers and profiles',
      object: pod(
        {},
        {
          annotations: {
            'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default',
            'container.apparmor.security.beta.kubernetes.io/no': 'foo',
          },
        },
      ),
      errors: [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/no]: Invalid value: "no": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/no]: Invalid value: "foo": invalid AppArmor profile name: "foo"',
      ],
    },
    {
      title: 'mirror pods have a node, deletion costs are numbers',
      object: pod(
        {},
        {
          annotations: {
            'kubernetes.io/config.mirror': 'x',
            'controller.kubernetes.io/pod-deletion-cost': '+5',
          },
        },
      ),
      errors: [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+5": must be a 32bit integer',
      ],
    },
  ]);
});
