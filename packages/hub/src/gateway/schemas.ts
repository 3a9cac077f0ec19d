const text = (description: string): object => ({ type: 'string', description });
const bytes = (description: string): object => ({ type: 'string', format: 'byte', description });

/** What `kubectl explain` tells of the gateway's kinds. */
export const gatewaySchemas: Readonly<Record<string, object>> = {
  ClusterGateway: {
    description: 'A cluster behind the gateway, with the credential that opens it.',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        properties: {
          provider: text('Who provides the cluster; empty.'),
          access: {
            type: 'object',
            properties: {
              endpoint: {
                type: 'object',
                properties: {
                  type: text('Const for a fixed address, ClusterProxy for a tunnel.'),
                  const: {
                    type: 'object',
                    properties: {
                      address: text('URL of the API server.'),
                      caBundle: bytes('PEM of those who sign its certificate.'),
                      insecure: {
                        type: 'boolean',
                        description: 'Its certificate is not verified.',
                      },
                      'proxy-url': text('Proxy on the way to it.'),
                    },
                  },
                },
              },
              credential: {
                type: 'object',
                properties: {
                  type: text('ServiceAccountToken, X509Certificate or Dynamic.'),
                  serviceAccountToken: text('Bearer token.'),
                  x509: {
                    type: 'object',
                    properties: {
                      certificate: bytes('PEM of the client certificate.'),
                      privateKey: bytes('PEM of its key.'),
                    },
                  },
                },
              },
            },
          },
        },
      },
      status: {
        type: 'object',
        properties: {
          healthy: { type: 'boolean', description: 'Whether the last probe succeeded.' },
          healthyReason: text('Why it did not.'),
        },
      },
    },
  },
  ClusterGatewayProxyOptions: {
    description: 'How a request is sent on.',
    properties: {
      path: text('Path on the cluster.'),
      impersonate: { type: 'boolean', description: 'The cluster sees who asks.' },
    },
  },
  VirtualCluster: {
    description: 'A cluster without its credential: the hub, one with a Secret, or one of OCM.',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        properties: {
          alias: text('Name for people.'),
          accepted: { type: 'boolean', description: 'Whether the hub accepts it.' },
          endpoint: text('URL of the API server, the type of its endpoint, or a dash.'),
          'credential-type': text('Internal, ManagedCluster, or what its Secret holds.'),
        },
      },
    },
  },
};
