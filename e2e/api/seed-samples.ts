// The manifests of the document that asked for ClusterRegistrations, as they stand there. They must stay acceptable.

/** The whole example, with the status it shows. */
export const WHOLE = `apiVersion: multicluster.oam.dev/v1alpha1
kind: ClusterRegistration
metadata:
  name: production-west-cluster
  namespace: vela-system
spec:
  # Cluster name (defaults to metadata.name)
  clusterName: prod-west

  # Alias for display purposes
  alias: "Production West Coast"

  # Credential source (multiple options)
  credentialSource:
    # Option 1: Reference to existing Secret containing kubeconfig
    secretRef:
      name: prod-west-kubeconfig
      namespace: default
      key: kubeconfig  # Key in secret containing kubeconfig data

    # Option 2: Inline credentials (for pre-extracted credentials)
    # inline:
    #   endpoint: https://api.prod-west.example.com:6443
    #   credentialType: ServiceAccountToken
    #   caData: LS0tLS1CRUdJTi...
    #   tokenData: ZXlKaGJHY2lP...

    # Option 3: External secret reference (for External Secrets Operator)
    # externalSecretRef:
    #   name: cluster-credentials
    #   provider: aws-secrets-manager

  # Management engine
  engine: cluster-gateway  # or "ocm"

  # Post-registration configuration
  config:
    # Namespace to create in managed cluster
    createNamespace: vela-system

    # Enable in-cluster bootstrap (for OCM)
    inClusterBootstrap: false

    # Connection timeout
    connectionTimeout: 30s

    # Validate credentials before registration
    validateCredentials: true

  # Custom labels to add to cluster
  labels:
    env: production
    region: us-west
    tier: gold

  # Pause reconciliation
  suspend: false

status:
  # Overall phase
  phase: Ready  # Pending | Progressing | Ready | Failed

  # Detailed conditions
  conditions:
    - type: CredentialValid
      status: "True"
      reason: TokenVerified
      message: "Service account token is valid"
      lastTransitionTime: "2026-02-06T10:30:00Z"

    - type: APIServerReachable
      status: "True"
      reason: ConnectionSuccessful
      message: "Successfully connected to cluster API server"
      lastTransitionTime: "2026-02-06T10:30:15Z"

    - type: NamespaceCreated
      status: "True"
      reason: NamespaceExists
      message: "Namespace vela-system exists in managed cluster"
      lastTransitionTime: "2026-02-06T10:30:20Z"

    - type: ClusterRegistered
      status: "True"
      reason: SecretCreated
      message: "Cluster secret created in vela-system"
      lastTransitionTime: "2026-02-06T10:30:25Z"

  # Cluster information
  clusterInfo:
    version:
      major: "1"
      minor: "28"
      gitVersion: "v1.28.3"
      platform: "linux/amd64"
    endpoint: https://api.prod-west.example.com:6443
    credentialType: ServiceAccountToken

  # Observed generation
  observedGeneration: 1

  # Last reconciliation time
  lastReconcileTime: "2026-02-06T10:30:25Z"

  # Last heartbeat (cluster connectivity check)
  lastHeartbeatTime: "2026-02-06T10:35:00Z"

  # Error message (if phase is Failed)
  message: ""
`;

/** Its three others: migration, a new cluster, GitOps. */
export const OTHERS = [
  `apiVersion: multicluster.oam.dev/v1alpha1
kind: ClusterRegistration
metadata:
  name: prod-west-cluster
  namespace: vela-system
spec:
  clusterName: prod-west
  credentialSource:
    inline:
      endpoint: https://api.prod-west.example.com:6443
      credentialType: ServiceAccountToken
      # Credentials copied from existing secret
      caData: LS0tLS...
      tokenData: ZXlKaG...
  config:
    createNamespace: vela-system
    validateCredentials: false  # Skip validation for existing clusters
  labels:
    migrated-from: secret
`,
  `apiVersion: multicluster.oam.dev/v1alpha1
kind: ClusterRegistration
metadata:
  name: staging-cluster
  namespace: vela-system
spec:
  clusterName: staging
  credentialSource:
    secretRef:
      name: staging-kubeconfig
      namespace: default
      key: kubeconfig
  config:
    createNamespace: vela-system
    validateCredentials: true
  labels:
    env: staging
`,
  `apiVersion: multicluster.oam.dev/v1alpha1
kind: ClusterRegistration
metadata:
  name: prod-cluster
  namespace: vela-system
spec:
  clusterName: production
  credentialSource:
    externalSecretRef:
      name: prod-cluster-credentials
      provider: aws-secrets-manager
  config:
    validateCredentials: true
  labels:
    managed-by: flux
    env: production
`,
];
