// The load with @kubernetes/client-node, used as its documentation shows.
import { importClient } from '../../e2e/client-node/install.ts';
import { type Job, PLACE, podName } from './job.ts';
import { type Load, runJob } from './measure.ts';

const { namespace, scratch, pods } = PLACE;

await runJob(prepare);

async function prepare({ target, kind, atOnce }: Job): Promise<Load> {
  const library = await importClient();
  const config = new library.KubeConfig();
  const caData = Buffer.from(target.ca).toString('base64');
  const server = `https://${target.host}:${target.port}`;
  config.loadFromOptions({
    clusters: [{ name: 'one', server, caData }],
    users: [{ name: 'one', token: target.token }],
    contexts: [{ name: 'one', cluster: 'one', user: 'one' }],
    currentContext: 'one',
  });
  const core = config.makeApiClient(library.CoreV1Api);
  const list = () => core.listNamespacedPod({ namespace });
  const get = (round: number) => core.readNamespacedPod({ namespace, name: podName(round % pods) });
  const create = (round: number) =>
    core.createNamespacedConfigMap({
      namespace: scratch,
      body: {
        metadata: { name: `c-${process.pid}-${round}` },
        data: { payload: 'x'.repeat(1024) },
      },
    });
  const startInformers = async () => {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const informers = Array.from({ length: atOnce }, () =>
      library.makeInformer(config, path, list),
    );
    await Promise.all(informers.map((informer) => informer.start()));
    for (const informer of informers) {
      if (informer.list().length !== pods) throw new Error('An informer is not whole');
    }
  };
  return { request: kind === 'list' ? list : kind === 'create' ? create : get, startInformers };
}
