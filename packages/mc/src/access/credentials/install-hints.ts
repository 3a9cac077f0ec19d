const AWS = 'https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html';

/** How to get the commands that most fleets log in with. */
const KNOWN: Readonly<Record<string, string>> = {
  aws: `install the AWS CLI: ${AWS}`,
  'aws-iam-authenticator': `install the AWS CLI, whose "aws eks get-token" does the same: ${AWS}`,
  'gke-gcloud-auth-plugin': 'run: gcloud components install gke-gcloud-auth-plugin',
  gcloud: 'install the Google Cloud CLI: https://cloud.google.com/sdk/docs/install',
  kubelogin: 'run: az aks install-cli (or see https://azure.github.io/kubelogin/install.html)',
  az: 'install the Azure CLI: https://learn.microsoft.com/cli/azure/install-azure-cli',
};

/** What to do about a command that is not installed; what the configuration says of it comes after what is known. */
export function installHintOf(command: string, configured: string | undefined): string {
  if (Object.hasOwn(KNOWN, command)) return KNOWN[command] ?? '';
  return configured === undefined
    ? `install ${command}, or map a context to the clusters that need it (kubectl mc setup)`
    : `its configuration says: ${configured}`;
}
