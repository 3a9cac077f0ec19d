import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '@flotilla/machinery';
import { SecretValue } from '@flotilla/runtime';
import { addressCheck } from '../endpoint/endpoint-policy.ts';
import { openMember } from './member-session.ts';

test('a member whose name leads to where no member is gets no connection', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { port: number };
    const dial = async (allowsLoopback: boolean) => {
      await using session = openMember(
        {
          endpoint: `https://localhost:${port}`,
          ca: '',
          credential: { type: 'ServiceAccountToken', token: new SecretValue('s3cret') },
        },
        { timeout: '30s', timeoutMs: 30_000 },
        {
          clock: systemClock,
          random: () => 0.5,
          allowsAddress: addressCheck({ allow: [], deny: [], allowsLoopback }),
        },
      );
      await assert.rejects(session.client.raw({ path: '/version' }), { fault: 'unreachable' });
    };
    await dial(false);
    assert.equal(connections, 0);
    await dial(true);
    assert.ok(connections > 0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
