// Golden kubeconfigs as the real kubectl resolves them and as we do: what it shows of them, what a server then sees of
// a request, and what it says of those that are broken.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  createTransport,
  KUBECTL_DEFAULT_SERVER,
  loadKubeconfig,
  type Overrides,
  resolveAccess,
} from '@flotilla/client';
import { parseYaml, systemClock } from '@flotilla/machinery';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { asKubectl } from './as-kubectl.ts';
import { goldenFiles, makeCertificates, makeIdToken, prepareGolden } from './prepare-golden.ts';
import { type Sightings, startRecorder } from './recorder.ts';
import { viewOf, withoutEmpty, withPaths } from './view.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-kubeconfig-'));
const certificates = makeCertificates();
const renewed = makeIdToken(7200);
const recorder = await startRecorder(certificates.serving, { idToken: renewed });
const values = {
  PORT: String(recorder.tlsPort),
  PLAIN_PORT: String(recorder.plainPort),
  PROXY_PORT: String(recorder.proxyPort),
  SOCKS_PORT: String(recorder.socksPort),
  ID_TOKEN: makeIdToken(3600),
  EXPIRED_ID_TOKEN: makeIdToken(-3600),
};
const refill = () => prepareGolden(folder, certificates, values);
refill();
after(async () => {
  await recorder[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** One way to ask: files, flags of kubectl and what they are to us. */
interface Case {
  readonly title: string;
  readonly files: readonly string[];
  /** As `--kubeconfig` rather than in KUBECONFIG. */
  readonly isExplicit?: boolean;
  readonly flags?: readonly string[];
  readonly overrides?: Overrides;
}

const env = (files: readonly string[]) => ({
  PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
  HOME: folder,
  KUBECONFIG: files.join(':'),
});

/** What came of asking: what was seen of it, or what was said instead. */
interface Outcome {
  readonly said: string;
  readonly seen: Sightings;
}

function kubectl(args: readonly string[], files: readonly string[]) {
  return new Promise<{ stdout: string; stderr: string; code: number }>((resolve) => {
    const child = execFile(
      binaryPath('kubectl'),
      [...args],
      { env: env(files), cwd: folder, timeout: 30_000 },
      (error, stdout, stderr) => {
        resolve({ stdout, stderr, code: error === null ? 0 : Number(error.code ?? 1) });
      },
    );
    child.stdin?.end();
  });
}

async function kubectlOutcome({ files, isExplicit, flags = [] }: Case): Promise<Outcome> {
  const explicit = isExplicit === true ? ['--kubeconfig', files[0] ?? ''] : [];
  const { stderr, code } = await kubectl(
    [...explicit, ...flags, 'version', '--output=json'],
    isExplicit === true ? [] : files,
  );
  return { said: code === 0 ? '' : stderr.trim(), seen: recorder.take() };
}

async function ourOutcome({ files, isExplicit, overrides = {} }: Case): Promise<Outcome> {
  const machine = { env: env(isExplicit === true ? [] : files), cwd: folder, home: folder };
  try {
    const kubeconfig = await loadKubeconfig({
      ...machine,
      ...(isExplicit === true ? { path: files[0] } : {}),
    });
    const access = await resolveAccess(kubeconfig, {
      ...machine,
      ...overrides,
      defaultServer: KUBECTL_DEFAULT_SERVER,
    });
    await access.credential.present();
    if (access.server === KUBECTL_DEFAULT_SERVER) return { said: REFUSED, seen: recorder.take() };
    await using transport = createTransport({
      access,
      clock: systemClock,
      random: () => 0.5,
      env: machine.env,
    });
    await transport.send({ method: 'GET', path: '/version?timeout=32s' });
    return { said: '', seen: recorder.take() };
  } catch (error) {
    return { said: asKubectl(error), seen: recorder.take() };
  }
}

const REFUSED =
  'The connection to the server localhost:8080 was refused - did you specify the right host or port?';

/** Our words where kubectl's would quote a secret, or come from a parser of its own. */
const OTHER_WORDS: readonly (readonly [kubectl: RegExp, ours: RegExp])[] = [
  [/duplicate name "u" in list: \[\{u .*secret/, /duplicate name "u" in list$/],
  [/duplicate name "c" in list: /, /duplicate name "c" in list$/],
  [/decoding stdout: .*/, /decoding stdout: it is not an ExecCredential in JSON or YAML$/],
  [/: yaml: /, /: yaml: /],
];

function assertSame(ours: Outcome, wanted: Outcome): void {
  const pair = OTHER_WORDS.find(([theirs]) => theirs.test(wanted.said));
  if (pair !== undefined && ours.said !== wanted.said) {
    assert.match(ours.said, pair[1]);
    assert.doesNotMatch(ours.said, /secret/);
    assert.deepEqual(ours.seen, wanted.seen);
  } else {
    assert.deepEqual(ours, wanted);
  }
}

async function compare(each: Case): Promise<Outcome> {
  recorder.take();
  const wanted = await kubectlOutcome(each);
  assertSame(await ourOutcome(each), wanted);
  return wanted;
}

const contexts = (file: string) => {
  const { value } = parseYaml(readFileSync(join(folder, file)));
  return (value as { contexts: { name: string }[] }).contexts.map(({ name }) => name);
};

/** Of these users kubectl has nothing to show, and asks for a name and password. */
const PROMPTS = new Set(['password-only', 'nobody', 'dangling-user']);

const whole = goldenFiles().filter((file) => !file.startsWith('broken/'));

for (const file of whole) {
  for (const context of contexts(file)) {
    if (file === 'oidc.yaml' && context === 'expired') continue;
    if (PROMPTS.has(context)) continue;
    test(`${file}, context ${context}: the server sees the same of kubectl and of us`, async () => {
      const { seen, said } = await compare({
        title: file,
        files: [file],
        flags: ['--context', context],
        overrides: { context },
      });
      // Not because neither asked.
      if (context !== 'stuck') assert.equal(seen.requests.length, 1, said);
    });
  }
}

test('where kubectl would ask for a name and password, we are nobody', async () => {
  for (const context of PROMPTS) {
    const asked = { title: context, files: ['users.yaml'], overrides: { context } };
    recorder.take();
    const { said } = await kubectlOutcome({ ...asked, flags: ['--context', context] });
    assert.match(said, /EOF$/);
    const { seen } = await ourOutcome(asked);
    assert.equal(seen.requests.length, 1);
    assert.equal(seen.requests[0]?.authorization, undefined);
  }
});

test('every golden kubeconfig shows the same in kubectl config view', async () => {
  for (const file of whole) {
    for (const context of contexts(file)) {
      const flags = ['config', 'view', '--minify', '--raw', '--flatten', '--output=json'];
      const { stdout, stderr } = await kubectl([...flags, '--context', context], [file]);
      if (context === 'dangling-user') {
        assert.equal(stderr, 'error: cannot locate user gone\n');
        continue;
      }
      assert.equal(stderr, '');
      const kubeconfig = await loadKubeconfig({ env: env([file]), cwd: folder, home: folder });
      const wanted = withPaths(withoutEmpty(parseYaml(stdout).value), folder);
      assert.deepEqual(withoutEmpty(viewOf(kubeconfig, context)), wanted, `${file} ${context}`);
    }
  }
});

for (const file of goldenFiles().filter((name) => name.startsWith('broken/'))) {
  test(`${file}: the same is wrong with it`, async () => {
    await compare({ title: file, files: [file] });
  });
}

const more: readonly Case[] = [
  { title: 'a list of files', files: ['rancher.yaml', 'second.yaml'] },
  { title: 'a list of files, the other way', files: ['second.yaml', 'rancher.yaml'] },
  {
    title: 'a context whose cluster and user are in two files',
    files: ['rancher.yaml', 'nope.yaml', '', 'second.yaml', 'rancher.yaml'],
    flags: ['--context=across'],
    overrides: { context: 'across' },
  },
  { title: 'a file that was asked for and is there', files: ['kind.yaml'], isExplicit: true },
  { title: 'a file that was asked for and is not there', files: ['nope.yaml'], isExplicit: true },
  { title: 'files none of which is there', files: ['nope.yaml', 'nope2.yaml'] },
  { title: 'a folder', files: ['certs'] },
  { title: 'two folders', files: ['certs', 'bin'] },
  { title: 'nothing at all', files: [] },
  {
    title: 'a context that is not there',
    files: ['kind.yaml'],
    flags: ['--context=nope'],
    overrides: { context: 'nope' },
  },
  {
    title: 'a user that is not there',
    files: ['kind.yaml'],
    flags: ['--user=nope'],
    overrides: { user: 'nope' },
  },
  {
    title: 'a cluster that is not there',
    files: ['kind.yaml'],
    flags: ['--cluster=nope'],
    overrides: { cluster: 'nope' },
  },
  {
    title: 'another user',
    files: ['users.yaml'],
    flags: ['--user=impersonation'],
    overrides: { user: 'impersonation' },
  },
  {
    title: 'another cluster',
    files: ['rancher.yaml'],
    flags: ['--cluster=shop-node1'],
    overrides: { cluster: 'shop-node1' },
  },
  {
    title: '--token over a certificate',
    files: ['kind.yaml'],
    flags: ['--token=flag'],
    overrides: { userFields: { token: 'flag' } },
  },
  {
    title: '--token over a plugin',
    files: ['eks.yaml'],
    flags: ['--token=flag'],
    overrides: { userFields: { token: 'flag' } },
  },
  {
    title: '--as and --as-group',
    files: ['rancher.yaml'],
    flags: ['--as=jane', '--as-group=a', '--as-group=b', '--as-uid=7'],
    overrides: { userFields: { as: 'jane', 'as-groups': ['a', 'b'], 'as-uid': '7' } },
  },
  {
    title: '--insecure-skip-tls-verify over an authority',
    files: ['kind.yaml'],
    flags: ['--insecure-skip-tls-verify'],
    overrides: { clusterFields: { 'insecure-skip-tls-verify': true } },
  },
  {
    title: '--certificate-authority over no verification',
    files: ['clusters.yaml'],
    flags: [`--certificate-authority=${join(folder, 'certs/ca.crt')}`],
    overrides: { clusterFields: { 'certificate-authority': join(folder, 'certs/ca.crt') } },
  },
  {
    title: '--server over tls-server-name',
    files: ['vcluster.yaml'],
    flags: [`--server=https://127.0.0.1:${recorder.tlsPort}/flag`],
    overrides: { clusterFields: { server: `https://127.0.0.1:${recorder.tlsPort}/flag` } },
  },
  {
    title: '--tls-server-name',
    files: ['kind.yaml'],
    flags: ['--tls-server-name=localhost'],
    overrides: { clusterFields: { 'tls-server-name': 'localhost' } },
  },
];

for (const each of more) {
  test(`${each.title}: the same as kubectl`, async () => {
    await compare(each);
  });
}

test('an expired OIDC token is renewed and written back as kubectl does it', async () => {
  const asked: Case = {
    title: 'expired',
    files: ['oidc.yaml'],
    flags: ['--context=expired'],
    overrides: { context: 'expired' },
  };
  const path = join(folder, 'oidc.yaml');
  recorder.take();
  const wanted = await kubectlOutcome(asked);
  const written = parseYaml(readFileSync(path)).value;
  refill();
  const ours = await ourOutcome(asked);

  assert.equal(wanted.seen.requests[0]?.authorization, `Bearer ${renewed}`);
  assert.equal(wanted.seen.refreshes.length, 1);
  assert.deepEqual(ours, wanted);
  assert.deepEqual(parseYaml(readFileSync(path)).value, written);
  // The next one finds the renewed token and asks nobody.
  assert.deepEqual((await ourOutcome(asked)).seen.refreshes, []);
});
