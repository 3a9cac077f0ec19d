import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createTransport } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { SecretValue } from '@flotilla/runtime';
import { memberAccess } from '../../cluster-secret/connect-member.ts';
import { addressCheck, checkEndpoint } from './endpoint-policy.ts';

test('a name that leads elsewhere once it was checked is not dialled', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { port: number };
    // As a resolver of an attacker would: harmless when asked first, this machine when it counts.
    const endpoint = `https://localhost:${port}`;
    const policy = { allow: ['localhost'], deny: [], allowsLoopback: false };
    await using transport = createTransport({
      access: memberAccess({
        endpoint,
        ca: '',
        credential: { type: 'ServiceAccountToken', token: new SecretValue('s3cret') },
      }),
      clock: systemClock,
      random: () => 0.5,
      allowsAddress: addressCheck(policy),
    });

    assert.equal(
      await checkEndpoint(`https://sly.example.com:${port}`, policy, () =>
        Promise.resolve(['93.184.216.34']),
      ),
      undefined,
    );
    await assert.rejects(transport.send({ method: 'GET', path: '/version' }), {
      fault: 'unreachable',
      message: /its address \S+ is not one that may be dialled from here/,
    });
    assert.equal(connections, 0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
