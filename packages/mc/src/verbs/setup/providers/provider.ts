/** A cloud whose command line can write contexts for its clusters. */
export type ProviderName = 'aws' | 'gcp' | 'azure' | 'ali';

/** What is known of a cloud. */
export interface Provider {
  /** As in "Not authenticated to AWS". */
  readonly title: string;
  /** The command line, for people. */
  readonly cliTitle: string;
  readonly cli: string;
  /** What its users run to log in. */
  readonly login: string;
  /** Arguments of a command that fails for whoever is not logged in. What it prints may be a token. */
  readonly probe: readonly string[];
}

/** The clouds, by what `--provider` calls them. */
export const providers: Readonly<Record<ProviderName, Provider>> = {
  aws: {
    title: 'AWS',
    cliTitle: 'AWS CLI',
    cli: 'aws',
    login: 'aws configure',
    probe: ['sts', 'get-caller-identity'],
  },
  gcp: {
    title: 'Google Cloud',
    cliTitle: 'Google Cloud CLI',
    cli: 'gcloud',
    login: 'gcloud auth login',
    probe: ['auth', 'print-access-token'],
  },
  azure: {
    title: 'Azure',
    cliTitle: 'Azure CLI',
    cli: 'az',
    login: 'az login',
    probe: ['account', 'show'],
  },
  ali: {
    title: 'Alibaba Cloud',
    cliTitle: 'Alibaba Cloud CLI',
    cli: 'aliyun',
    login: 'aliyun configure',
    probe: ['sts', 'GetCallerIdentity'],
  },
};

/** Which of the commands fetches a context; `azureLogin` adapts what `azure` wrote. */
export type TemplateName = 'aws' | 'gcp' | 'gcpFleet' | 'azure' | 'azureLogin' | 'ali';

/**
 * The commands, as they are run unless the config file's `setup.NAME` says otherwise. A word with a `{placeholder}` of
 * which nothing is known is left out. Each writes to the kubeconfig that KUBECONFIG names, or prints one.
 */
export const defaultTemplates: Readonly<Record<TemplateName, readonly string[]>> = {
  aws: [
    ...['aws', 'eks', 'update-kubeconfig', '--name', '{name}', '--region', '{region}'],
    ...['--alias', '{context}', '--kubeconfig', '{kubeconfig}'],
    ...['--profile={profile}', '--role-arn={roleArn}'],
  ],
  gcp: [
    ...['gcloud', 'container', 'clusters', 'get-credentials', '{name}'],
    ...['--location', '{location}', '--project', '{project}'],
  ],
  gcpFleet: [
    ...['gcloud', 'container', 'fleet', 'memberships', 'get-credentials', '{name}'],
    ...['--location={location}', '--project', '{project}'],
  ],
  azure: [
    ...['az', 'aks', 'get-credentials', '--name', '{name}', '--resource-group', '{resourceGroup}'],
    ...['--context', '{context}', '--file', '{kubeconfig}', '--subscription={subscription}'],
  ],
  azureLogin: ['kubelogin', 'convert-kubeconfig', '-l', 'azurecli'],
  ali: ['aliyun', 'cs', 'DescribeClusterUserKubeconfig', '--ClusterId', '{clusterId}'],
};
