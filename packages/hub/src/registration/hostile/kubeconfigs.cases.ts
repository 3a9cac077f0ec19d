import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import type { ExecProfile } from '../exec-profiles/exec-profile.ts';
import { kubeconfig as yaml } from '../source/testing/source-hub.ts';
import {
  base64,
  kubeconfig,
  kubeconfigFor,
  NAMESPACE,
  registration,
  says,
  sourceSecret,
  textsOf,
} from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { refusal, startOddMember, welcoming } from '../testing/odd-member.ts';
import { type StartServer, startHub } from '../testing/world.ts';
import { type HostileHub, SECRET, startHostileHub } from './testing/hostile-hub.ts';

/** Registers without anybody being dialled. */
const UNSEEN = {
  config: { validateCredentials: false, heartbeatInterval: '0s', createNamespace: '' },
};
const EXEC = 'client.authentication.k8s.io/v1';

/** What kubeconfigs of all shapes come to, through the whole controller, on any hub. */
export function kubeconfigCases(start: StartServer): void {
  const open = (config = {}) => startHostileHub({ start, allowsLoopback: true, config });

  describe('kubeconfigs', () => {
    test('REG-14 REG-15 REG-16 keep their path, get their port, and mean public authorities by none', async () => {
      await using hub = await open();
      const endpoints = {
        path: [
          'https://10.255.255.1/k8s/clusters/c-1',
          'https://10.255.255.1:443/k8s/clusters/c-1',
        ],
        six: ['https://[2001:db8::1]', 'https://[2001:db8::1]:443'],
        slash: ['HTTPS://10.255.255.1:6443/', 'https://10.255.255.1:6443'],
      } as const;
      for (const [name, [server, wanted]] of Object.entries(endpoints)) {
        await hub.register(name, kubeconfig({ server, token: 'some-token' }), UNSEEN);
        await hub.until(name, ({ status }) => status?.phase === 'Ready');
        const data = { endpoint: wanted, 'ca.crt': '', token: 'some-token' };
        assert.deepEqual(await hub.data(name), data);
      }
    });

    test('REG-13 are read at the context that the registration names', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      const { server, tls } = member.access;
      const config = JSON.parse(kubeconfigFor(member.access)) as {
        contexts: object[];
        users: object[];
        'current-context': string;
      };
      config['current-context'] = 'elsewhere';
      config.contexts.push({ name: 'elsewhere', context: { cluster: 'nowhere', user: 'nobody' } });
      await hub.client.create(Secrets, sourceSecret('one-kubeconfig', JSON.stringify(config)));
      const secretRef = { name: 'one-kubeconfig', context: 'it' };
      await hub.register(registration('one', { credentialSource: { secretRef } }));
      await hub.until('one', 'Ready');
      assert.equal((await hub.get('one')).status?.clusterInfo?.endpoint, server);
      assert.ok(tls.ca);
    });

    test('REG-39 have their token without the line end that files have', async () => {
      await using hub = await open();
      await using member = await startMember();
      const { server, tls } = member.access;
      await hub.register('one', kubeconfig({ server, ca: tls.ca, token: 'admin\n' }));
      await hub.until('one', ({ status }) => status?.phase === 'Ready');
      assert.equal((await hub.data('one'))['token'], 'admin');
    });

    test('REG-26 REG-30 REG-34 REG-35 that cannot be used are refused by name, and nothing is written', async () => {
      await using hub = await open();
      const pair = testPair();
      const other = testPair('other');
      const server = 'server: "https://10.255.255.1:6443"';
      const whole = yaml({ cluster: server });
      const all = [
        ['KubeconfigInvalid', `${SECRET}: [`],
        ['ContextNotFound', whole.replace('current-context:', 'extensions: [] #')],
        ['ContextNotFound', yaml({ context: SECRET })],
        ['KubeconfigInvalid', whole.replace('cluster: c,', `cluster: ${SECRET},`)],
        ['KubeconfigInvalid', whole.replace('user: u}', `user: ${SECRET}}`)],
        ['NoCredential', yaml({ user: `username: ${SECRET}, password: ${SECRET}` })],
        ['NoCredential', yaml({ user: '' })],
        ['ServerNameUnsupported', yaml({ cluster: `${server}, tls-server-name: ${SECRET}` })],
        [
          'KeyPairMismatch',
          yaml({
            user: `client-certificate-data: ${base64(pair.certificate)}, client-key-data: ${base64(other.key)}`,
          }),
        ],
      ] as const;
      for (const [at, [reason, text]] of all.entries()) {
        const name = `${reason.toLowerCase()}-${at}`;
        await hub.register(name, text);
        const failed = await hub.until(name, ({ status }) => status?.phase === 'Failed');
        assert.equal(says(failed, 'SourceResolved'), `False ${reason}`);
        assert.equal(await hub.hasSecret(name), false);
      }
      assert.ok(!(await hub.told()).includes(SECRET));
      const same = yaml({ cluster: `${server}, tls-server-name: 10.255.255.1` });
      await hub.register('same', same, UNSEEN);
      await hub.until('same', ({ status }) => status?.phase === 'Ready');
    });

    test('REG-33 without verification are refused, or registered without an authority and with a warning', async () => {
      const text = yaml({
        cluster: 'server: "https://10.255.255.1:6443", insecure-skip-tls-verify: true',
        user: 'token: some-token',
      });
      {
        await using hub = await open();
        await hub.register('one', text, UNSEEN);
        const failed = await hub.until('one', ({ status }) => status?.phase === 'Failed');
        assert.equal(says(failed, 'SourceResolved'), 'False InsecureTLSNotAllowed');
      }
      await using hub = await open({ allowInsecureTls: true });
      await hub.register('one', text, UNSEEN);
      await hub.until('one', ({ status }) => status?.phase === 'Ready');
      assert.deepEqual(Object.keys(await hub.data('one')).sort(), ['endpoint', 'token']);
      // Events are sent once the status is written.
      await eventually(
        () => hub.told(),
        (told) => told.includes('"reason":"InsecureTLS"'),
      );
    });

    test('REG-52 whose command gives another token when the first is refused are not told of', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'flotilla-exec-'));
      try {
        const command = join(folder, 'counting');
        const status = '{"token": "token-\'$(wc -l < runs)\'"}';
        const answer = `{"kind": "ExecCredential", "apiVersion": "${EXEC}", "status": ${status}}`;
        writeFileSync(command, `#!/bin/sh\ncd ${folder}\necho run >> runs\necho '${answer}'\n`, {
          mode: 0o755,
        });
        const profile: ExecProfile = {
          name: 'counting',
          command,
          args: [],
          env: { PATH: '/usr/bin:/bin' },
          timeoutMs: 30_000,
          namespaces: [NAMESPACE],
          servers: [],
        };
        await using hub = await startHub(start, { execProfiles: [profile] });
        await using member = await startOddMember(welcoming('admin'));
        hub.start();
        const text = withCommand(kubeconfigFor(member.access), 'counting');
        await hub.putSource('one-kubeconfig', text);
        await hub.register(registration('one'));
        await hub.until('one', 'Ready');
        assert.equal(textsOf(await hub.secret('one'))['token'], 'token-1');

        member.answers = { ...member.answers, 'GET /version': refusal(401, 'Unauthorized') };
        hub.clock.leap(6 * 60_000);
        await eventually(
          () => hub.secret('one'),
          (secret) => textsOf(secret)['token'] === 'token-2',
        );
        const still = await hub.until('one', ({ status: now }) => now?.credential !== undefined);
        assert.equal(says(still, 'CredentialValid'), 'True TokenVerified');
        assert.equal(readFileSync(join(folder, 'runs'), 'utf8'), 'run\nrun\n');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

    test('REG-65 whose command a profile allows are registered with what it prints, or say why not', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'flotilla-exec-'));
      try {
        await using member = await startMember();
        const token = await member.token('minted');
        const print = (status: object) =>
          `echo '${JSON.stringify({ kind: 'ExecCredential', apiVersion: EXEC, status })}'`;
        const scripts = {
          good: `echo "a warning" >&2\n${print({ token })}`,
          half: print({ clientCertificateData: testPair().certificate }),
          failing: `echo ${SECRET} >&2\nexit 1`,
          hanging: 'exec sleep 600',
        };
        const execProfiles: ExecProfile[] = Object.entries(scripts).map(([name, script]) => {
          const command = join(folder, name);
          writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
          return {
            name,
            command,
            args: [],
            env: { PATH: '/usr/bin:/bin' },
            // The longest is 30 s; a test waits for less.
            timeoutMs: name === 'hanging' ? 500 : 30_000,
            namespaces: [NAMESPACE],
            servers: [],
          };
        });
        await using hub = await open({ execProfiles });
        for (const name of Object.keys(scripts)) {
          await hub.register(name, withCommand(kubeconfigFor(member.access), name));
        }
        await hub.until('good', ({ status }) => status?.phase === 'Ready');
        assert.equal((await hub.data('good'))['token'], token);
        for (const name of ['half', 'failing', 'hanging']) {
          const failed = await hub.until(name, isRefused);
          assert.equal(says(failed, 'SourceResolved'), 'False ExecFailed', name);
          assert.equal(await hub.hasSecret(name), false);
        }
        assert.ok(!(await statuses(hub)).includes(SECRET));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
}

function isRefused(judged: Parameters<Parameters<HostileHub['until']>[1]>[0]): boolean {
  return says(judged, 'SourceResolved').startsWith('False');
}

/** What is told on the hub; a command's own complaints are in the log. */
async function statuses(hub: HostileHub): Promise<string> {
  const [registrations, events] = JSON.parse(await hub.told()) as unknown[];
  return JSON.stringify([registrations, events]);
}

/** The kubeconfig with a command for its credential. */
function withCommand(text: string, command: string): string {
  const config = JSON.parse(text) as { users: { user: object }[] };
  const exec = { command, apiVersion: EXEC, interactiveMode: 'Never' };
  return JSON.stringify({ ...config, users: [{ ...config.users[0], user: { exec } }] });
}
