/** Names that steer which program runs, what it loads or whom it believes. */
const DENIED: readonly RegExp[] = [
  /^(?:PATH|PATHEXT|HOME|USERPROFILE|APPDATA|SHELL|COMSPEC|ENV|BASH_.*|SHELLOPTS|IFS|PS4|CDPATH|TMPDIR|TEMP|TMP)$/,
  /^(?:LD_|DYLD_|GCONV_|NODE_|NPM_|PYTHON|PERL5|PERLLIB|RUBY|GEM_|BUNDLE_|LUA_|GIT_|SSH_).*$/,
  /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GODEBUG)$/,
  /^(?:OPENSSL_.*|SSL_CERT_.*|SSLKEYLOGFILE|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)$/,
  /^(?:HTTPS?|ALL|NO|FTP)_PROXY$/,
  /^(?:KUBECONFIG|KUBERC|KUBERNETES_.*|KUBECTL_.*|XDG_.*)$/,
  /^AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE|CA_BUNDLE|ENDPOINT_URL.*|DATA_PATH|PAGER|CONTAINER_.*|EC2_METADATA_.*)$/,
  /^(?:CLOUDSDK_(?:PYTHON|CONFIG|API_|AUTH_|PROXY_|GSUTIL_PYTHON).*|GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_EXTERNAL_.*)$/,
  /^AZURE_(?:CONFIG_DIR|EXTENSION.*|AUTHORITY_HOST|FEDERATED_TOKEN_FILE|CLIENT_CERTIFICATE_PATH)$/,
];

/** The first of the names that profiles may not set, however much the command is trusted; undefined when all may. */
export function deniedVariable(names: Iterable<string>): string | undefined {
  for (const name of names) {
    // Windows knows names in any case.
    const upper = name.toUpperCase();
    if (DENIED.some((pattern) => pattern.test(upper))) return name;
  }
  return undefined;
}
