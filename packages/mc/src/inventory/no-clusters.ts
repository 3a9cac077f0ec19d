import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';

/** The inventory is there and empty: told in a plain line, and a failure unless `--allow-partial` says otherwise. */
export class NoClusters extends UsageError {
  readonly exitCode: 0 | 1;

  constructor({ discovery, execution }: Pick<Settings, 'discovery' | 'execution'>) {
    const { api } = discovery;
    super(
      api === 'clusterprofile'
        ? 'No clusters discovered from hub'
        : typeof api === 'object'
          ? `No clusters discovered in "${api.file}"`
          : 'No clusters discovered: your kubeconfig has no contexts',
    );
    this.exitCode = execution.allowPartial ? 0 : 1;
  }
}
