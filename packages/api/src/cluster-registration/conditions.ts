import type { ConditionSource } from '../schema/kind-source.ts';

/** What a ClusterRegistration reports, in the order a pass establishes it. */
export const clusterRegistrationConditions = {
  SourceResolved: {
    meaning: 'The credential source was found, may be read and is usable.',
    gatesReady: true,
    reasons: {
      True: [
        'SecretResolved',
        'InlineResolved',
        'ExternalSecretResolved',
        'ExistingSecretResolved',
      ],
      False: [
        'SecretNotFound',
        'KeyNotFound',
        'CrossNamespaceDenied',
        'ExternalSecretsNotInstalled',
        'ExternalSecretNotFound',
        'ExternalSecretNotReady',
        'TargetSecretMissing',
        'UnsupportedTarget',
        'KubeconfigInvalid',
        'ContextNotFound',
        'FileReferenceNotAllowed',
        'ExecNotAllowed',
        'ExecFailed',
        'AuthProviderNotSupported',
        'NoCredential',
        'KeyPairMismatch',
        'EndpointDenied',
        'InsecureTLSNotAllowed',
        'ServerNameUnsupported',
        'ImpersonationNotSupported',
      ],
      Unknown: [],
    },
  },
  CredentialValid: {
    meaning: 'The member accepted the credential as somebody, not as an anonymous user.',
    gatesReady: true,
    skips: ['ValidationSkipped'],
    reasons: {
      True: ['TokenVerified', 'CertificateVerified'],
      False: ['Unauthorized', 'Anonymous', 'Expired'],
      Unknown: ['ValidationSkipped', 'Unreachable', 'NotChecked'],
    },
  },
  APIServerReachable: {
    meaning: 'The API server of the member answers.',
    gatesReady: true,
    skips: ['HeartbeatDisabled'],
    reasons: {
      True: ['ConnectionSuccessful'],
      False: [
        'DialFailed',
        'DNSFailed',
        'Timeout',
        'TLSVerificationFailed',
        'ProxyFailed',
        'GatewayUnavailable',
        'ServerError',
      ],
      Unknown: ['NotChecked', 'HeartbeatDisabled'],
    },
  },
  ClusterRegistered: {
    meaning: 'The cluster Secret is in the gateway namespace and is ours.',
    gatesReady: true,
    reasons: {
      True: ['SecretCreated', 'SecretUpdated', 'SecretAdopted', 'ManagedClusterAccepted'],
      False: [
        'NameConflict',
        'NotAdoptable',
        'SecretImmutable',
        'WriteFailed',
        'RenameBlocked',
        'HubNotReady',
        'AwaitingAcceptance',
        'EngineNotSupported',
        'DriftLoop',
      ],
      Unknown: [],
    },
  },
  NamespaceCreated: {
    meaning: 'The namespace that spec.config.createNamespace names is on the member.',
    gatesReady: false,
    skips: ['Disabled'],
    reasons: {
      True: ['NamespaceExists', 'NamespaceCreated'],
      False: ['Forbidden', 'NamespaceTerminating', 'CreateFailed'],
      Unknown: ['Disabled', 'NotAttempted'],
    },
  },
  ApplicationsRefreshed: {
    meaning: 'Applications that select clusters by label have seen this one.',
    gatesReady: false,
    skips: ['Disabled'],
    reasons: {
      True: ['UpToDate', 'Refreshed'],
      False: ['PartiallyRefreshed', 'ListFailed'],
      Unknown: ['Disabled', 'KubeVelaNotInstalled'],
    },
  },
  CredentialExpiring: {
    meaning: 'The credential ends soon and nothing has replaced it. True is the bad news.',
    gatesReady: false,
    reasons: {
      True: ['ExpiresSoon', 'Expired', 'RefreshFailing'],
      False: ['Fresh'],
      Unknown: ['NoExpiry'],
    },
  },
  Suspended: {
    meaning: 'spec.suspend stops writes and heartbeats. True is the bad news.',
    gatesReady: false,
    reasons: { True: ['SuspendedBySpec'], False: ['Active'], Unknown: [] },
  },
  DuplicateCluster: {
    meaning: 'Another registration leads to the same cluster. True is the bad news.',
    gatesReady: false,
    reasons: { True: ['SameClusterID'], False: ['Unique'], Unknown: ['NotChecked'] },
  },
} as const satisfies Readonly<Record<string, ConditionSource>>;

/**
 * What the inventory says on a ClusterRegistration, as a writer of its own: no part of the set above, whose conditions
 * the registration's passes take away when they do not mention them.
 */
export const inventoryConditions = {
  InventoryPublished: {
    meaning: 'The member is in the standard inventory: it has a ClusterProfile.',
    gatesReady: false,
    reasons: {
      True: ['Published'],
      False: ['NotInstalled', 'NameTaken', 'WriteFailed'],
      Unknown: [],
    },
  },
} as const satisfies Readonly<Record<string, ConditionSource>>;
