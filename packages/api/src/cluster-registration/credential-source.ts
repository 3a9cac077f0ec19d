import { defaulted, flag, object, oneOf, optional, rule, text } from '../schema/builders.ts';

const LONGEST_NAME = 253;
const LONGEST_URL = 2048;
/** Enough for all public roots; a rule over more would be beyond what CEL may cost. */
const LONGEST_CA = 262_144;
const LONGEST_CREDENTIAL = 65_536;

const DNS_LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';

const objectName = (description: string) =>
  text(description, {
    minLength: 1,
    maxLength: LONGEST_NAME,
    rules: [
      rule(
        "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
        'must be the name of an object: lower-case letters, digits, "-" and "."',
      ),
    ],
  });

const namespaceName = (description: string) =>
  text(description, {
    minLength: 1,
    maxLength: 63,
    rules: [
      rule(
        `self.matches('${DNS_LABEL}')`,
        'must be the name of a namespace: lower-case letters, digits and "-"',
      ),
    ],
  });

/** A key of a Secret. */
const secretKey = (description: string, allowed: 'some' | 'none too') =>
  text(description, {
    maxLength: LONGEST_NAME,
    rules: [
      rule(
        `self.matches('^[-._a-zA-Z0-9]${allowed === 'some' ? '+' : '*'}$')`,
        'must be a key of a Secret: letters, digits, "-", "_" and "."',
      ),
    ],
  });

/**
 * Base64, and the ellipsis with which documentation cuts it short: manifests copied from there are accepted, and the
 * controller tells that the text is not whole.
 */
const base64 = (description: string, maxLength: number, raw: string) =>
  text(description, {
    maxLength,
    rules: [
      rule(
        "self.matches('^[A-Za-z0-9+/\\\\s]*=?=?\\\\s*([.][.][.])?$')",
        `must be base64-encoded: ${raw}`,
      ),
    ],
  });

const secretRef = object('A Secret that holds a kubeconfig.', {
  name: objectName('Name of the Secret.'),
  namespace: optional(
    namespaceName(
      "Namespace of the Secret; the registration's own when left out. Another one is read for registrations in the gateway namespace, or where the Secret's annotation multicluster.oam.dev/allow-registrations-from lists the namespace of the registration.",
    ),
  ),
  key: defaulted(
    secretKey(
      'Key under which the kubeconfig is. Where it is missing, `value` is tried, as Cluster API writes it.',
      'some',
    ),
    'kubeconfig',
  ),
  context: optional(
    text('Context of the kubeconfig; its current-context when left out.', {
      minLength: 1,
      maxLength: LONGEST_NAME,
    }),
  ),
});

const inline = object(
  'The credential itself. It is then readable for everyone who may read the registration: for tries, not for production.',
  {
    endpoint: text('URL of the API server of the member.', {
      minLength: 1,
      maxLength: LONGEST_URL,
      rules: [
        rule(
          "isURL(self) && self.matches('^https?://[^/?#@\\\\s]+(/[^?#\\\\s]*)?$')",
          'must be a URL such as https://api.example.com:6443, without user, query and fragment',
        ),
      ],
    }),
    credentialType: oneOf('What the credential is.', ['ServiceAccountToken', 'X509Certificate']),
    caData: optional(
      base64(
        'Certificate authority of the endpoint: PEM in base64. Public authorities when left out.',
        LONGEST_CA,
        'encode the PEM text',
      ),
    ),
    tokenData: optional(
      base64('Bearer token in base64.', LONGEST_CREDENTIAL, 'encode the token once more'),
    ),
    clientCertData: optional(
      base64('Client certificate: PEM in base64.', LONGEST_CREDENTIAL, 'encode the PEM text'),
    ),
    clientKeyData: optional(
      base64(
        'Private key of the client certificate: PEM in base64.',
        LONGEST_CREDENTIAL,
        'encode the PEM text',
      ),
    ),
    insecureSkipTLSVerify: defaulted(
      flag(
        "Do not verify the endpoint's certificate. Refused by the controller unless it was started to allow it.",
      ),
      false,
    ),
    proxyURL: optional(
      text('Proxy on the way to the endpoint.', {
        minLength: 1,
        maxLength: LONGEST_URL,
        rules: [
          rule(
            "self.matches('^(https?|socks5)://[^/?#\\\\s]+/?$')",
            'must be a URL with the scheme http, https or socks5 and no path',
          ),
        ],
      }),
    ),
  },
  {
    rules: [
      rule(
        "self.endpoint.startsWith('https://') || self.insecureSkipTLSVerify",
        'must begin with https:// unless insecureSkipTLSVerify is true',
        { fieldPath: '.endpoint' },
      ),
      rule(
        "self.credentialType != 'ServiceAccountToken' || (has(self.tokenData) && !has(self.clientCertData) && !has(self.clientKeyData))",
        'a ServiceAccountToken takes tokenData, and neither clientCertData nor clientKeyData',
      ),
      rule(
        "self.credentialType != 'X509Certificate' || (has(self.clientCertData) && has(self.clientKeyData) && !has(self.tokenData))",
        'an X509Certificate takes clientCertData and clientKeyData, and no tokenData',
      ),
    ],
  },
);

const externalSecretRef = object(
  'An ExternalSecret (external-secrets.io) in the namespace of the registration.',
  {
    name: objectName('Name of the ExternalSecret.'),
    key: defaulted(
      secretKey(
        'Key of the Secret it makes; empty when that Secret has the parts of a cluster Secret (`endpoint`, `ca.crt`, `token` or `tls.crt` and `tls.key`).',
        'none too',
      ),
      'kubeconfig',
    ),
    provider: optional(
      text(
        'For readers only: where the secret comes from is said by the SecretStore, and a difference is reported as an event.',
        { maxLength: LONGEST_NAME },
      ),
    ),
  },
);

const existingSecret = object(
  'The cluster Secret that is in the gateway namespace already is the credential. Nothing is copied.',
  {},
);

/** Where the credential of a member comes from. */
export const credentialSource = object(
  'Where the credential comes from: exactly one of its fields.',
  {
    secretRef: optional(secretRef),
    inline: optional(inline),
    externalSecretRef: optional(externalSecretRef),
    existingSecret: optional(existingSecret),
  },
  {
    rules: [
      rule(
        '[has(self.secretRef), has(self.inline), has(self.externalSecretRef), has(self.existingSecret)].filter(isSet, isSet).size() == 1',
        'must have exactly one of secretRef, inline, externalSecretRef and existingSecret',
      ),
    ],
  },
);
