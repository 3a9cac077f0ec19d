// exec, attach, port-forward and logs through a real kube-apiserver to kubelets that run on this machine.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import {
  attachToPod,
  type Client,
  connectToPod,
  createClient,
  createTransport,
  execInPod,
  forwardPort,
  podLogLines,
  podLogs,
  type RemoteProcess,
  type Transport,
} from '@flotilla/client';
import { isNotFound, StatusError, systemClock } from '@flotilla/machinery';
import { type Side, startSide } from '../sides.ts';
import { accessOf } from './access.ts';
import { hostPods, type PodHost } from './pods.ts';

let side: Side;
let client: Client;
let echo: Server;
let host: PodHost;

before(async () => {
  side = await startSide('real');
  const transport = createTransport({
    access: accessOf(side),
    clock: systemClock,
    random: Math.random,
  });
  client = createClient(transport);
  echo = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  host = await hostPods(side, { client, echoPort: (echo.address() as AddressInfo).port });
});
after(async () => {
  await host[Symbol.asyncDispose]();
  echo.close();
  await client[Symbol.asyncDispose]();
  await side.stop();
});

describe('exec', { timeout: 60_000 }, () => {
  test('keeps outputs apart and tells how it ended', async () => {
    const remote = await run('echo out; echo err >&2');

    const outputs = Promise.all([text(remote.stdout), text(remote.stderr)]);

    assert.deepEqual(await outputs, ['out\n', 'err\n']);
    assert.equal(await remote.exit, 0);
    assert.equal(remote.protocol, 'v5.channel.k8s.io');
  });

  for (const protocol of ['v5.channel.k8s.io', 'v4.channel.k8s.io']) {
    test(`an exit code is told in ${protocol}`, async () => {
      const transport = offering(protocol);
      const command = ['/bin/sh', '-c', 'echo out; echo err >&2; exit 7'];
      const remote = await execInPod({ transport }, host.strict, { command });

      const outputs = Promise.all([text(remote.stdout), text(remote.stderr)]);

      assert.deepEqual(await outputs, ['out\n', 'err\n']);
      assert.equal(await remote.exit, 7);
      assert.equal(remote.protocol, protocol);
    });
  }

  test('the end of the input reaches the process', async () => {
    const command = ['/bin/sh', '-c', 'cat; echo done'];
    const remote = await execInPod(client, host.strict, { command, stdin: true });

    remote.stdin.end('hello ');

    assert.equal(await text(remote.stdout), 'hello done\n');
    assert.equal(await remote.exit, 0);
  });

  test('what the kubelet could not do is a refusal', async () => {
    const remote = await run('exit 7');

    // kwok does not tell exit codes.
    await assert.rejects(remote.exit, { code: 500, message: /exit status 7$/ });
  });

  test('megabytes pass unharmed, at the pace of a slow reader', async () => {
    const size = 8 << 20;
    const remote = await run(`head -c ${size} /dev/zero | tr '\\0' x`);
    const held = remote.stdout.readableLength;

    let length = 0;
    for await (const chunk of remote.stdout) {
      assert.ok(remote.stdout.readableLength < 1 << 20, 'nothing is piled up');
      length += (chunk as Buffer).length;
    }

    assert.equal(held, 0);
    assert.equal(length, size);
    assert.equal(await remote.exit, 0);
  });

  test('megabytes of input pass, too', async () => {
    const size = 4 << 20;
    // kwok does not hand on that the input has ended, so the process must know when to stop.
    const remote = await run(`head -c ${size} | wc -c`, { stdin: true });

    remote.stdin.end(Buffer.alloc(size, 120));

    assert.equal((await text(remote.stdout)).trim(), String(size));
    assert.equal(await remote.exit, 0);
  });

  test('a terminal has the size it is told', async () => {
    const wait = 'while test "$(stty size)" = "0 0"; do sleep 0.05; done';
    // kwok loses what a process says at its very end, so this one waits until it was heard.
    const remote = await run(`${wait}; stty size; read line`, { stdin: true, tty: true });

    await remote.resize({ columns: 91, rows: 17 });
    let said = '';
    for await (const chunk of remote.stdout) {
      said += String(chunk);
      if (said.includes('\n')) remote.stdin.write('\n');
    }

    assert.match(said, /^17 91\r\n/);
    assert.equal(await remote.exit, 0);
  });

  test('servers that know only v4 are spoken to in v4', async () => {
    const transport = offering('v4.channel.k8s.io');
    const remote = await execInPod({ transport }, host.key, {
      command: ['/bin/sh', '-c', 'read line; echo "$line"'],
      stdin: true,
    });

    remote.stdin.end('hello\n');

    assert.equal(remote.protocol, 'v4.channel.k8s.io');
    assert.equal(remote.canEndInput, false);
    assert.equal(await text(remote.stdout), 'hello\n');
    assert.equal(await remote.exit, 0);
  });

  test('a pod or a program that is not there is told as such', async () => {
    const missing = execInPod(client, { ...host.key, name: 'nobody' }, { command: ['true'] });
    await assert.rejects(missing, isNotFound);

    const remote = await execInPod(client, host.key, { command: ['/no/such/program'] });
    remote.stdout.resume();
    remote.stderr.resume();
    await assert.rejects(remote.exit, StatusError);
  });

  test('giving up hangs up', async () => {
    const abort = new AbortController();
    const remote = await run('sleep 60', { signal: abort.signal });

    abort.abort();

    await assert.rejects(remote.exit, { fault: 'aborted' });
  });
});

test('attach tells what the container says from now on', async () => {
  const remote = await attachToPod(client, host.key);
  const lines = remote.stdout[Symbol.asyncIterator]();

  const first = lines.next();
  // kwok follows the file from the moment it has opened it, and does not say when that is.
  const talking = setInterval(() => host.say('news'), 100);
  const { value } = await first;
  clearInterval(talking);
  remote[Symbol.dispose]();

  assert.match(String(value), /^news\n/);
  assert.equal(await remote.exit, 0);
});

describe('port-forward', () => {
  test('carries many connections at once, each for itself', async () => {
    await using forward = await forwardPort(client, host.key, { port: 80 });

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) => talk(forward.port, `${number}-`.repeat(50_000))),
    );

    assert.deepEqual(
      answers.map(({ length }) => length),
      answers.map((_, number) => `${number}-`.length * 50_000),
    );
    assert.ok(answers.every((answer, number) => answer.startsWith(`${number}-`)));
  });

  test('one that breaks costs no other, and leaves nothing behind', async () => {
    const errors: Error[] = [];
    await using forward = await forwardPort(client, host.key, {
      port: 81,
      onError: (error) => errors.push(error),
    });

    assert.equal(await talk(forward.port, 'hello'), '');
    assert.match(errors[0]?.message ?? '', /^error forwarding port 81 to pod .*refused/);
    assert.equal(forward.connections(), 0);
  });

  test('needs no port of this machine', async () => {
    const stream = await connectToPod(client, host.key, { port: 80 });

    stream.write('ping');
    const [answer] = (await once(stream, 'data')) as [Buffer];
    stream.destroy();

    assert.equal(answer.toString(), 'ping');
  });
});

test('port-forward is to be had in two protocols: ours, and SPDY in a tunnel, as kubectl has it', async () => {
  const accepted: string[] = [];
  for (const protocol of [
    'v5.channel.k8s.io',
    'v4.channel.k8s.io',
    'portforward.k8s.io',
    'SPDY/3.1+portforward.k8s.io',
  ]) {
    const { status, socket, headers } = await client.transport.upgrade({
      method: 'GET',
      path: '/api/v1/namespaces/streams/pods/one/portforward?ports=80',
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        'sec-websocket-protocol': protocol,
      },
    });
    socket.destroy();
    if (status === 101 && headers['sec-websocket-protocol'] === protocol) accepted.push(protocol);
  }

  assert.deepEqual(accepted, ['v4.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io']);
});

describe('logs', () => {
  test('come whole, from the end, or since a time', async () => {
    assert.match(await text(await podLogs(client, host.key)), /^line 0\nline 1\n/);
    const { key } = host;
    const first = await podLogs(client, key, { limitBytes: 6 });
    assert.equal(await text(first), 'line 0');
    const timed = podLogLines(client, key, { timestamps: true, sinceTime: '2024-05-01T10:00:00Z' });
    const { value } = await timed.next();
    await timed.return(undefined);
    assert.equal(value, '2024-05-01T10:00:00.000000000Z line 0');
  });

  test('are followed until nobody listens', async () => {
    const lines = podLogLines(client, host.key, { follow: true, tailLines: 1 });

    const { value: last } = await lines.next();
    const next = lines.next();
    host.say('something new');
    const { value } = await next;
    await lines.return(undefined);

    assert.notEqual(last, 'something new');
    assert.equal(value, 'something new');
  });

  test('of nobody are refused', async () => {
    await assert.rejects(podLogs(client, { ...host.key, name: 'nobody' }), isNotFound);
  });
});

function run(
  script: string,
  options: { stdin?: boolean; tty?: boolean; signal?: AbortSignal } = {},
): Promise<RemoteProcess> {
  return execInPod(client, host.key, { command: ['/bin/sh', '-c', script], ...options });
}

/** Sends everything, and reads until as much has come back, or the connection ends. */
async function talk(port: number, message: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(message);
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.length >= message.length) break;
  }
  return answer;
}

/** As a client that knows only one protocol asks; v4 is answered by the kubelet itself. */
function offering(protocol: string): Transport {
  const { transport } = client;
  return {
    ...transport,
    upgrade: (request) =>
      transport.upgrade({
        ...request,
        headers: { ...request.headers, 'sec-websocket-protocol': protocol },
      }),
  };
}
