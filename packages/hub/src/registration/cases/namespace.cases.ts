import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registration, says } from '../testing/builders.ts';
import { leapUntil, nextBeat } from '../testing/next-beat.ts';
import { refusal, startOddMember, welcoming } from '../testing/odd-member.ts';
import { type StartServer, startHub } from '../testing/world.ts';

const MINUTE = 60_000;
const GET = 'GET /api/v1/namespaces/vela-system';
const POST = 'POST /api/v1/namespaces';
const gone = refusal(404, 'NotFound');

/** The namespace on the member, on any hub. */
export function namespaceCases(start: StartServer): void {
  describe('the namespace on a member', () => {
    test('REG-12 that somebody else makes at the same moment is there', async () => {
      await using hub = await startHub(start);
      const answers = { ...welcoming('admin'), [GET]: gone, [POST]: refusal(409, 'AlreadyExists') };
      await using member = await startOddMember(answers);
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'NamespaceCreated'), 'True NamespaceExists');
    });

    test('that may not be made leaves the cluster Ready, and is tried again', async () => {
      await using hub = await startHub(start);
      const answers = { ...welcoming('admin'), [GET]: gone, [POST]: refusal(403, 'Forbidden') };
      await using member = await startOddMember(answers);
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'NamespaceCreated'), 'False Forbidden');
      assert.equal(says(ready, 'Ready'), 'True Registered');

      member.answers = {
        ...answers,
        [POST]: [201, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vela-system' } }],
      };
      await leapUntil(hub, 'one', {
        byMs: 6 * MINUTE,
        holds: (each) => says(each, 'NamespaceCreated') === 'True NamespaceCreated',
      });
    });

    test('that is being deleted is told of', async () => {
      await using hub = await startHub(start);
      const dying = { metadata: { name: 'vela-system' }, status: { phase: 'Terminating' } };
      const answers = {
        ...welcoming('admin'),
        [GET]: [200, { apiVersion: 'v1', kind: 'Namespace', ...dying }] as const,
      };
      await using member = await startOddMember(answers);
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'NamespaceCreated'), 'False NamespaceTerminating');
    });

    test('is asked for once, not with every heartbeat', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      for (let beat = 0; beat < 3; beat++) {
        await nextBeat(hub, 'one');
      }
      assert.equal(says(ready, 'NamespaceCreated'), 'True NamespaceExists');
      assert.equal(member.asked.filter((each) => each === GET).length, 1);
    });
  });
}
