import type { Route } from '../fleet/route.ts';

/** How people get a new credential from the commands that make them, by the command's own name. */
const LOGINS: Readonly<Record<string, string>> = {
  aws: 'aws sso login',
  'aws-iam-authenticator': 'aws sso login',
  gcloud: 'gcloud auth login',
  'gke-gcloud-auth-plugin': 'gcloud auth login',
  'gcp-auth-plugin': 'gcloud auth application-default login',
  az: 'az login',
  kubelogin: 'az login',
  aliyun: 'aliyun configure',
  oc: 'oc login',
  doctl: 'doctl auth init',
  tsh: 'tsh login',
};

/** What to do when a server does not know us, or our command has nothing to present. */
export function loginHint({ command, source }: Pick<Route, 'command' | 'source'>): string {
  if (command === undefined) return `renew the credential of ${source}`;
  const name = (command.split(/[/\\]/).at(-1) ?? '').replace(/\.(exe|cmd|bat)$/i, '');
  const login = Object.hasOwn(LOGINS, name) ? LOGINS[name] : undefined;
  return login === undefined ? `check that "${name}" is logged in` : `run: ${login}`;
}
