// What the CRD of ClusterRegistrations promises, on whichever server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClusterRegistration,
  ClusterRegistrations,
  clusterRegistration,
  crdOf,
} from '@flotilla/api';
import { parseYaml } from '@flotilla/machinery';
import { REFUSED } from './refused-registrations.ts';
import { OTHERS, WHOLE } from './seed-samples.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a server answers
type Json = any;

/** Sends one request as the admin; `type` is that of the body, or without one that of the answer. */
export type Ask = (
  request: string,
  body?: unknown,
  type?: string,
) => Promise<{ readonly code: number; readonly body: Json; readonly warning?: string | undefined }>;

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const POLL_MS = 20;
const NAMESPACE = 'vela-system';
const { group, version, plural } = ClusterRegistrations;
const COLLECTION = `/apis/${group}/${version}/namespaces/${NAMESPACE}/${plural}`;

/** Installs the CRD; ends when it is Established and served. */
export async function install(ask: Ask): Promise<void> {
  assert.equal((await ask('POST /api/v1/namespaces', { metadata: { name: NAMESPACE } })).code, 201);
  const crd = crdOf(clusterRegistration);
  const created = await ask(`POST ${CRDS}`, crd);
  assert.equal(created.code, 201, JSON.stringify(created.body));
  assert.equal(created.warning, undefined);
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { body } = await ask(`GET ${CRDS}/${crd.metadata.name}`);
    const conditions = body.status?.conditions ?? [];
    const isTrue = (type: string) =>
      conditions.some((each: Json) => each.type === type && each.status === 'True');
    if (isTrue('Established') && (await ask(`GET ${COLLECTION}`)).code === 200) {
      assert.ok(isTrue('NamesAccepted'));
      assert.ok(!isTrue('NonStructuralSchema'), JSON.stringify(conditions));
      return;
    }
    assert.ok(performance.now() < deadline, JSON.stringify(conditions));
    await pause(POLL_MS);
  }
}

/** The cases; `ask` talks to a server on which {@link install} ran. */
export function clusterRegistrationCases(ask: Ask): void {
  const create = (object: unknown) =>
    ask(`POST ${COLLECTION}?fieldValidation=Strict&dryRun=All`, object);
  const registration = (name: string, spec: unknown): Json => ({
    apiVersion: `${group}/${version}`,
    kind: 'ClusterRegistration',
    metadata: { name, namespace: NAMESPACE },
    spec,
  });

  test('manifests of the document that asked for the kind are accepted as written', async () => {
    for (const yaml of [WHOLE, ...OTHERS]) {
      const answer = await create(parseYaml(yaml).value);

      assert.equal(answer.code, 201, JSON.stringify(answer.body));
    }
  });

  test('the status of that document is accepted, too', async () => {
    const { value } = parseYaml(WHOLE) as { value: Json };
    const { code } = await ask(`POST ${COLLECTION}`, value);
    assert.equal(code, 201);
    const path = `${COLLECTION}/${value.metadata.name}`;
    const patch = { status: value.status };

    const answer = await ask(
      `PATCH ${path}/status?fieldValidation=Strict`,
      patch,
      'application/merge-patch+json',
    );

    assert.equal(answer.code, 200, JSON.stringify(answer.body));
    assert.deepEqual(answer.body.status, value.status);
    assert.equal((await ask(`DELETE ${path}`)).code, 200);
  });

  test('the examples of the reference page are accepted', async () => {
    for (const { yaml, title } of clusterRegistration.examples) {
      const answer = await create(parseYaml(yaml).value);

      assert.equal(answer.code, 201, `${title}: ${JSON.stringify(answer.body)}`);
    }
  });

  test('the server fills in every default', async () => {
    const { body } = await create(
      registration('a', { credentialSource: { secretRef: { name: 'k' } } }),
    );

    const stored = body as ClusterRegistration;
    assert.deepEqual(stored.spec, {
      credentialSource: { secretRef: { name: 'k', key: 'kubeconfig' } },
      engine: 'cluster-gateway',
      config: {
        createNamespace: 'vela-system',
        inClusterBootstrap: false,
        connectionTimeout: '30s',
        validateCredentials: true,
        heartbeatInterval: '5m',
        failureThreshold: 3,
        refreshApplications: 'Matching',
      },
      adoptionPolicy: 'IfSameEndpoint',
      deletionPolicy: 'Detach',
      suspend: false,
    });
  });

  test('an empty createNamespace stays empty, and an empty key of an ExternalSecret, too', async () => {
    const { body } = await create(
      registration('a', {
        credentialSource: { externalSecretRef: { name: 'e', key: '' } },
        config: { createNamespace: '' },
      }),
    );

    assert.equal(body.spec.config.createNamespace, '');
    assert.equal(body.spec.credentialSource.externalSecretRef.key, '');
  });

  for (const [title, spec] of [
    ['an endpoint with a path', { endpoint: 'https://r.example/k8s/clusters/c-1' }],
    ['an IPv6 endpoint', { endpoint: 'https://[2001:db8::1]:6443' }],
    ['an endpoint without TLS', { endpoint: 'http://a:80', insecureSkipTLSVerify: true }],
    ['a proxy', { proxyURL: 'socks5://proxy.example.com:1080' }],
    ['base64 in lines', { caData: 'LS0t\nLS0t\n' }],
  ] as const) {
    test(`${title} is accepted`, async () => {
      const inline = {
        endpoint: 'https://api.example.com',
        credentialType: 'ServiceAccountToken',
        tokenData: 'dG9rZW4=',
        ...spec,
      };

      const answer = await create(registration('a', { credentialSource: { inline } }));

      assert.equal(answer.code, 201, JSON.stringify(answer.body));
    });
  }

  describe('is refused:', () => {
    for (const { title, name = 'a', spec, text } of REFUSED) {
      test(title, async () => {
        const { code, body } = await create(registration(name, spec));

        assert.equal(code, 422, JSON.stringify(body));
        assert.ok(withoutValues(body.message).includes(text), body.message);
      });
    }
  });

  test('the engine cannot be changed, everything else can', async () => {
    const spec = { credentialSource: { secretRef: { name: 'k' } } };
    assert.equal((await ask(`POST ${COLLECTION}`, registration('engine', spec))).code, 201);
    const patch = (change: unknown) =>
      ask(`PATCH ${COLLECTION}/engine`, { spec: change }, 'application/merge-patch+json');

    const refused = await patch({ engine: 'ocm' });
    const changed = await patch({
      clusterName: 'renamed',
      credentialSource: { secretRef: null, existingSecret: {} },
      suspend: true,
    });

    assert.equal(refused.code, 422);
    assert.ok(
      withoutValues(refused.body.message).includes(
        'spec.engine: Invalid value: cannot be changed: register the cluster anew',
      ),
      refused.body.message,
    );
    assert.equal(changed.code, 200, JSON.stringify(changed.body));
    assert.equal((await ask(`DELETE ${COLLECTION}/engine`)).code, 200);
  });

  test('kubectl get shows its columns, and more of them when it is wide', async () => {
    const { value } = parseYaml(WHOLE) as { value: Json };
    const path = `${COLLECTION}/${value.metadata.name}`;
    assert.equal((await ask(`POST ${COLLECTION}`, value)).code, 201);
    const expiresAt = '2020-01-01T00:00:00Z';
    const status = { ...value.status, registeredName: 'prod-west', credential: { expiresAt } };
    const written = await ask(`PATCH ${path}/status`, { status }, 'application/merge-patch+json');
    assert.equal(written.code, 200);

    const table = await ask(
      `GET ${path}`,
      undefined,
      'application/json;as=Table;g=meta.k8s.io;v=v1',
    );

    const columns = table.body.columnDefinitions.map(
      ({ name, priority }: Json) => `${name}${priority === 0 ? '' : ' (wide)'}`,
    );
    assert.deepEqual(columns, [
      'Name',
      'Cluster',
      'Phase',
      'Reachable',
      'Version',
      'Type',
      'Endpoint (wide)',
      'Expires (wide)',
      'Age',
    ]);
    const [name, ...cells] = table.body.rows[0].cells;
    assert.equal(name, 'production-west-cluster');
    assert.deepEqual(cells.slice(0, 6), [
      'prod-west',
      'Ready',
      'True',
      'v1.28.3',
      'ServiceAccountToken',
      'https://api.prod-west.example.com:6443',
    ]);
    assert.equal((await ask(`DELETE ${path}`)).code, 200);
  });

  test('writes to the object leave its status alone, and the reverse', async () => {
    const spec = { credentialSource: { existingSecret: {} } };
    const object = { ...registration('status', spec), status: { phase: 'Ready' } };

    const created = await ask(`POST ${COLLECTION}`, object);
    const written = await ask(
      `PATCH ${COLLECTION}/status/status`,
      { status: { phase: 'Pending' }, spec: { suspend: true } },
      'application/merge-patch+json',
    );

    assert.equal(created.body.status, undefined);
    assert.deepEqual(written.body.status, { phase: 'Pending' });
    assert.equal(written.body.spec.suspend, false);
    assert.equal((await ask(`DELETE ${COLLECTION}/status`)).code, 200);
  });
}

/** Kubernetes quotes the value that a rule refused: `Invalid value: "x": text`; whole objects as `object`. */
function withoutValues(message: string): string {
  return message.replace(
    /Invalid value: (?:"(?:\\.|[^"\\])*"|object|\{.*?\}): /gs,
    'Invalid value: ',
  );
}
