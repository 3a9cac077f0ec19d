// What docs/guides/gitops shows is applied by the tools it is for, to a real hub and to ours, beside the real CRDs of Flux
// and Argo CD.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { type Client, createClient, createTransport } from '@flotilla/client';
import { installKinds } from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { apiOf } from '../api.ts';
import { accessOf } from '../client/access.ts';
import { MODULES } from '../crd-sets/modules.ts';
import { readCrds } from '../crd-sets/read-crds.ts';
import { SIDES, type Side, startSide } from '../sides.ts';

const GUIDE = join(FLOTILLA_ROOT, 'docs', 'guides', 'gitops');
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

for (const name of SIDES) {
  describe(`GitOps on ${name === 'real' ? 'a real' : 'an embedded'} hub`, () => {
    let side: Side;
    let client: Client;
    let home: string;
    const tool = (program: 'kubectl' | 'helm', args: readonly string[], input?: string): string =>
      execFileSync(binaryPath(program), args, {
        env: { KUBECONFIG: side.kubeconfig, HOME: home, PATH: process.env['PATH'] },
        encoding: 'utf8',
        ...(input === undefined ? {} : { input }),
      });
    const namesOf = async (namespace: string): Promise<string[]> =>
      (await client.list(ClusterRegistrations, { namespace })).items
        .map(({ metadata }) => metadata.name ?? '')
        .sort();

    before(async () => {
      home = mkdtempSync(join(tmpdir(), 'flotilla-gitops-'));
      side = await startSide(name);
      client = createClient(
        createTransport({ access: accessOf(side), clock: systemClock, random: Math.random }),
      );
      await installKinds(client, { clusterProfiles: true }, AbortSignal.timeout(60_000));
      for (const namespace of ['vela-system', 'flux-system', 'argocd', 'helm-clusters']) {
        tool('kubectl', ['create', 'namespace', namespace]);
      }
      using api = apiOf(side);
      const projects = MODULES.filter(({ project }) => /^(Flux|Argo)/.test(project));
      assert.equal(projects.length, 3);
      for (const crd of projects.flatMap(readCrds)) {
        await api.create(CRDS, crd);
        await api.until(`${CRDS}/${crd.metadata.name}`, ({ body }) =>
          (body.status?.conditions ?? []).some(
            (each: { type: string; status: string }) =>
              each.type === 'Established' && each.status === 'True',
          ),
        );
      }
    });
    after(async () => {
      await client[Symbol.asyncDispose]();
      await side.stop();
      rmSync(home, { recursive: true, force: true });
    });

    test('Flux takes the repository and the Kustomization', () => {
      const printed = tool('kubectl', ['apply', '-f', join(GUIDE, 'flux')]);
      assert.deepEqual(printed.trim().split('\n'), [
        'gitrepository.source.toolkit.fluxcd.io/fleet created',
        'kustomization.kustomize.toolkit.fluxcd.io/clusters created',
      ]);
    });

    test('Argo CD takes the Application and the health check', () => {
      const printed = tool('kubectl', ['apply', '-f', join(GUIDE, 'argocd')]);
      assert.deepEqual(printed.trim().split('\n'), [
        'application.argoproj.io/cluster-registrations created',
        'configmap/argocd-cm created',
      ]);
    });

    test('Kustomize makes a registration of base and overlay', async () => {
      const printed = tool('kubectl', ['apply', '-k', join(GUIDE, 'kustomize', 'production')]);
      assert.equal(printed, 'clusterregistration.multicluster.oam.dev/prod-west created\n');
      const { spec } = await client.get(ClusterRegistrations, {
        namespace: 'vela-system',
        name: 'prod-west',
      });
      assert.equal(spec.clusterName, 'prod-west');
      assert.equal(spec.credentialSource.externalSecretRef?.name, 'prod-west-credentials');
      assert.deepEqual(spec.labels, { env: 'production', region: 'us-west' });
      assert.equal(spec.config.heartbeatInterval, '1m');
    });

    test('Helm installs the list of clusters, changes it, and takes it away', async () => {
      const chart = join(GUIDE, 'helm');
      const flags = ['--namespace', 'helm-clusters', '--set', 'namespace=helm-clusters'];
      tool('helm', ['install', 'fleet', chart, ...flags]);
      assert.deepEqual(await namesOf('helm-clusters'), ['prod-west', 'staging']);

      const fewer = ['--set-json', 'clusters=[{"name":"staging","secret":"other"}]'];
      tool('helm', ['upgrade', 'fleet', chart, ...flags, ...fewer]);
      assert.deepEqual(await namesOf('helm-clusters'), ['staging']);

      tool('helm', ['uninstall', 'fleet', '--namespace', 'helm-clusters']);
      assert.deepEqual(await namesOf('helm-clusters'), []);
    });
  });
}
