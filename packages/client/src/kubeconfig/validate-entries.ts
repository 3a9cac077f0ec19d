import { goQuote } from '@flotilla/machinery';
import { errorCode, fileErrorText } from '../credentials/file-error.ts';
import type { ReadFile } from '../credentials/read-bytes.ts';
import type { KubeconfigCluster, KubeconfigExec, KubeconfigUser } from './kubeconfig.ts';
import { proxyUrlProblem } from './server-url.ts';

/** What kubectl says of a cluster entry that has nothing in it. */
export const NO_SERVER = 'cluster has no server defined';

/** What kubectl finds wrong with a server's entry. */
export async function clusterProblems(
  name: string,
  cluster: KubeconfigCluster,
  readFile: ReadFile,
): Promise<string[]> {
  if (Object.keys(cluster).length === 0) return [NO_SERVER];
  const problems: string[] = [];
  if (cluster.server === undefined) {
    problems.push(
      name === ''
        ? 'default cluster has no server defined'
        : `no server found for cluster ${goQuote(name)}`,
    );
  }
  const proxy = cluster['proxy-url'];
  const proxyProblem = proxy === undefined ? undefined : proxyUrlProblem(proxy);
  if (proxyProblem !== undefined) {
    problems.push(
      `invalid 'proxy-url' ${goQuote(withoutPassword(proxy ?? ''))} for cluster ${goQuote(name)}: ${proxyProblem}`,
    );
  }
  const authority = cluster['certificate-authority'];
  if (authority !== undefined) {
    if (cluster['certificate-authority-data'] !== undefined) {
      problems.push(
        `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`,
      );
    }
    const unreadable = await openProblem(authority, readFile);
    if (unreadable !== undefined) {
      problems.push(
        `unable to read certificate-authority ${authority} for ${name} due to ${unreadable}`,
      );
    }
  }
  return problems;
}

/** What kubectl finds wrong with a user's entry. */
export async function userProblems(
  name: string,
  user: KubeconfigUser,
  readFile: ReadFile,
): Promise<string[]> {
  const problems = await certificateProblems(name, user, readFile);
  if (user.exec !== undefined) {
    if (user['auth-provider'] !== undefined) {
      problems.push(
        `authProvider cannot be provided in combination with an exec plugin for ${name}`,
      );
    }
    problems.push(...execProblems(name, user.exec));
  }
  const hasBasic = user.username !== undefined || user.password !== undefined;
  if (user.token !== undefined && hasBasic) {
    problems.push(
      `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`,
    );
  }
  const hasMore =
    user['as-uid'] !== undefined ||
    (user['as-groups'] ?? []).length > 0 ||
    Object.keys(user['as-user-extra'] ?? {}).length > 0;
  if (hasMore && user.as === undefined) {
    problems.push(`requesting uid, groups or user-extra for ${name} without impersonating a user`);
  }
  return problems;
}

async function certificateProblems(
  name: string,
  user: KubeconfigUser,
  readFile: ReadFile,
): Promise<string[]> {
  const cert = user['client-certificate'];
  const certData = user['client-certificate-data'];
  const key = user['client-key'];
  const keyData = user['client-key-data'];
  if (cert === undefined && certData === undefined) return [];
  const problems: string[] = [];
  if (cert !== undefined && certData !== undefined) {
    problems.push(
      `client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`,
    );
  }
  if (key !== undefined && keyData !== undefined) {
    problems.push(
      `client-key-data and client-key are both specified for ${name}; client-key-data will override`,
    );
  }
  if (key === undefined && keyData === undefined) {
    problems.push(
      `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
    );
  }
  for (const [what, path] of [
    ['client-cert', cert],
    ['client-key', key],
  ] as const) {
    const unreadable = path === undefined ? undefined : await openProblem(path, readFile);
    if (unreadable !== undefined) {
      problems.push(`unable to read ${what} ${path} for ${name} due to ${unreadable}`);
    }
  }
  return problems;
}

function execProblems(name: string, exec: KubeconfigExec): string[] {
  const missing = (what: string) =>
    `${what} must be specified for ${name} to use exec authentication plugin`;
  const problems: string[] = [];
  if (exec.command === undefined) problems.push(missing('command'));
  if (exec.apiVersion === undefined) problems.push(missing('apiVersion'));
  for (const variable of exec.env ?? []) {
    if ((variable.name ?? '') === '') problems.push(missing('env variable name'));
  }
  const mode = exec.interactiveMode;
  if (mode === undefined) {
    problems.push(missing('interactiveMode'));
  } else if (!['Never', 'IfAvailable', 'Always'].includes(mode)) {
    problems.push(`invalid interactiveMode for ${name}: ${goQuote(mode)}`);
  }
  return problems;
}

/** A folder can be opened; only reading it fails. */
async function openProblem(path: string, readFile: ReadFile): Promise<string | undefined> {
  try {
    await readFile(path);
    return undefined;
  } catch (error) {
    return errorCode(error) === 'EISDIR' ? undefined : fileErrorText(path, error);
  }
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
