/** Written as it should be already; thousands of addresses are compared, and reading a URL takes its time. */
const CANONICAL = /^https:\/\/(?=[a-z])[a-z0-9.-]*[a-z](?::(?!443$)[1-9]\d{1,4})?$/;

/** A server's address in the one form that equal ones share: lower case, no default port, no slash at the end. */
export function canonicalServer(server: string): string {
  if (CANONICAL.test(server)) return server;
  // Without a scheme it is plain HTTP, as kubectl has it.
  const url = server.includes('://') ? server : `http://${server}`;
  if (!URL.canParse(url)) return server;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/** What is wrong with an address that a profile gives; undefined when nothing. */
export function profileServerProblem(
  server: string,
  { allowsPlainLoopback }: { allowsPlainLoopback: boolean },
): string | undefined {
  if (server === '') return 'its profile gives no address';
  const shown = JSON.stringify(server);
  if (!URL.canParse(server)) return `its profile gives ${shown}, which is not a URL`;
  const { protocol, hostname, username, password, search, hash } = new URL(server);
  if (username !== '' || password !== '') {
    return `its profile gives an address with a name or password in it`;
  }
  if (search !== '' || hash !== '') {
    return `its profile gives ${shown}, and addresses of servers have no query`;
  }
  if (protocol === 'https:') return undefined;
  if (protocol !== 'http:') return `its profile gives ${shown}, which is not https`;
  if (!isLoopback(hostname)) {
    return `its profile gives ${shown}; without https anyone on the way could read along`;
  }
  return allowsPlainLoopback
    ? undefined
    : `its profile gives ${shown}, which is not https; access.allowInsecureProfiles allows that for this machine`;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Whether two bundles of certificates in PEM are the same, whatever stands between and around them. */
export function isSameAuthority(a: string, b: string): boolean {
  if (a === b) return true;
  const found = bodies(a);
  return found !== '' && found === bodies(b);
}

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;

function bodies(pem: string): string {
  return [...pem.matchAll(BLOCK)]
    .map(([, body = '']) => body.replace(/\s+/g, ''))
    .sort()
    .join('\n');
}
