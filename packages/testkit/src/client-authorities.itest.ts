import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { type Access, authoritiesOf, isReadableCertificate, Namespaces } from '@flotilla/client';
import { startServer } from './start-server.ts';
import { connectClient } from './testing/connect-client.ts';

test('an authority that only looks like one hides none behind it, and vouches for nobody', async () => {
  await using server = await startServer({ doesManagersWork: false });
  const { ca = '' } = server.access.tls;
  const broken = brokenFrom(ca);
  assert.throws(() => authoritiesOf(broken, isReadableCertificate), /malformed certificate/);

  assert.ok(await names(server.access, authoritiesOf(`${broken}${ca}`)));
  await assert.rejects(names(server.access, authoritiesOf(broken)), { fault: 'tls' });
});

async function names(access: Access, ca: string): Promise<readonly unknown[]> {
  await using client = connectClient({ ...access, tls: { ...access.tls, ca } });
  return (await client.list(Namespaces)).items;
}

/** The first with the tag of its issuer's first part changed, which only a closer look finds. */
function brokenFrom(ca: string): string {
  const der = Buffer.from(new X509Certificate(ca).raw);
  // A set within a sequence, at the beginning of an attribute of a name.
  const at = der.indexOf(Buffer.from([0x06, 0x03, 0x55, 0x04]));
  der[at] = 0x1f;
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
}
