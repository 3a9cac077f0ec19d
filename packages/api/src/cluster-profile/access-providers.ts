import { anyObject, flag, listByKey, listOf, object, optional, text } from '../schema/builders.ts';

const cluster = object('Where the cluster is, in the words of a kubeconfig.', {
  server: text('URL of its API server.'),
  'tls-server-name': optional(text("Name that the server's certificate must have.")),
  'insecure-skip-tls-verify': optional(flag("Do not look at the server's certificate.")),
  'certificate-authority': optional(text('File with its authorities, on whose disk so ever.')),
  'certificate-authority-data': optional(text('Its authorities, PEM.', { format: 'byte' })),
  'proxy-url': optional(text('Proxy on the way to it: http, https or socks5.')),
  'disable-compression': optional(flag('Ask for answers that are not compressed.')),
  extensions: optional(
    listOf(
      'What else those who get a credential must know.',
      object('One thing to know.', {
        name: text('What it is.'),
        extension: anyObject('What it says.'),
      }),
    ),
  ),
});

/** Ways to reach a cluster; none of them holds a credential. */
export const accessProviders = (description: string) =>
  listByKey(
    description,
    'name',
    object('One way to reach the cluster.', {
      name: text('Kind of credential that opens it, by which consumers choose.'),
      cluster: optional(cluster),
    }),
  );
