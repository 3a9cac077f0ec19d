import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Lease, Leases } from '@flotilla/client';
import { conflict, deepCopy, notFound } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { silentLogger } from '../observer.ts';
import { createElector, type Elector, type ElectorOptions } from './elector.ts';
import type { LeaseLockOptions } from './lease-lock.ts';

describe('an elector', () => {
  test('takes an office that nobody has, and writes what client-go reads', async () => {
    const { clock, office, stand } = setUp();
    const one = stand('one');
    await clock.advance(0);

    assert.ok(one.elector.isLeading);
    assert.deepEqual(office.lease?.spec, {
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
    await clock.advance(2000);
    assert.equal(office.lease?.spec?.renewTime, '2026-01-01T00:00:02.000000Z');
    assert.equal(office.lease?.spec?.acquireTime, '2026-01-01T00:00:00.000000Z');
  });

  test('waits for a silent leader for as long as its lease says, by its own time', async () => {
    const { clock, office, stand } = setUp();
    const one = stand('one');
    await clock.advance(0);
    one.wire.isCut = true;
    const two = stand('two');
    await clock.advance(14_000);
    assert.ok(!two.elector.isLeading);

    await clock.advance(4_000);

    assert.ok(two.elector.isLeading);
    assert.equal(office.lease?.spec?.leaseTransitions, 1);
    assert.ok(!one.elector.isLeading);
  });

  test('resigns ten seconds after its last renewal, before anyone may follow', async () => {
    const { clock, stand } = setUp();
    const one = stand('one');
    await clock.advance(4000);
    one.wire.isCut = true;
    await clock.advance(9900);
    assert.equal(one.lost(), false);

    await clock.advance(200);

    assert.equal(one.lost(), true);
  });

  test('resigns in time when requests hang for ever', async () => {
    const { clock, stand } = setUp();
    const one = stand('one');
    await clock.advance(4000);
    one.wire.hangs = true;

    await clock.advance(10_100);

    assert.equal(one.lost(), true);
  });

  test('survives a wall clock that is set an hour forth or back, as leader and as candidate', async () => {
    const { clock, office, stand } = setUp();
    const one = stand('one');
    const two = stand('two');
    await clock.advance(4000);
    for (const jump of [3_600_000, -7_200_000, 3_600_000]) {
      clock.jump(jump);
      await clock.advance(20_000);
      assert.ok(one.elector.isLeading);
      assert.ok(!two.elector.isLeading);
    }
    assert.equal(office.lease?.spec?.leaseTransitions, 0);
  });

  test('knows itself out of office after a pause, before any timer says so', async () => {
    const { clock, stand } = setUp();
    const one = stand('one');
    await clock.advance(0);
    assert.equal(one.isInOffice(), true);
    // Like a process that was stopped for a minute: time has passed, and no timer has rung yet.
    Object.defineProperty(clock, 'elapsed', { value: () => 60_000 });

    assert.equal(one.isInOffice(), false);
  });

  test('resigns at once when it sees another in its place', async () => {
    const { clock, office, stand } = setUp();
    const one = stand('one');
    await clock.advance(2000);
    office.usurp('two');

    await clock.advance(2000);

    assert.equal(one.lost(), true);
    assert.equal(one.elector.leader, 'two');
  });

  test('stands again after it has lost, and wins when the other is silent', async () => {
    const { clock, office, stand } = setUp();
    const one = stand('one');
    await clock.advance(2000);
    office.usurp('two');
    await clock.advance(2000);
    one.standAgain();

    await clock.advance(20_000);

    assert.ok(one.elector.isLeading);
    assert.equal(office.lease?.spec?.leaseTransitions, 2);
  });

  test('gives the office back when its work is over, so that the next need not wait', async () => {
    const { clock, office, stand } = setUp();
    const one = stand('one');
    await clock.advance(0);
    const two = stand('two');
    await clock.advance(0);
    one.finish();
    await clock.advance(2500);

    assert.ok(two.elector.isLeading);
    assert.equal(one.lost(), false);
    assert.equal(office.lease?.spec?.holderIdentity, 'two');
  });

  test('is one of many: of fifty candidates with broken wires never two lead', async () => {
    const { clock, stand } = setUp();
    const all = Array.from({ length: 50 }, (_, index) => stand(`c${index}`));
    let terms = 0;
    for (let round = 0; round < 20; round++) {
      await clock.advance(20_000);
      const leaders = all.filter(({ elector }) => elector.isLeading);
      assert.equal(leaders.length, 1);
      for (const leader of leaders) leader.wire.isCut = true;
      terms++;
      for (let second = 0; second < 15; second++) {
        await clock.advance(1000);
        assert.ok(all.filter(({ isInOffice }) => isInOffice()).length <= 1);
      }
    }
    assert.equal(terms, 20);
  });

  test('tells of each change of office on the Lease, in the words of client-go', async () => {
    const { clock, office, stand } = setUp();
    const one = stand('one');
    const two = stand('two');
    await clock.advance(2000);
    assert.deepEqual(one.told, ['l LeaderElection BecameLeader one became leader']);
    assert.deepEqual(two.told, []);
    one.finish();
    await clock.advance(4000);
    office.usurp('three');
    await clock.advance(4000);

    assert.deepEqual(one.told.slice(1), ['l LeaderElection StoppedLeading one stopped leading']);
    assert.deepEqual(two.told, [
      'l LeaderElection BecameLeader two became leader',
      'l LeaderElection StoppedLeading two stopped leading',
    ]);
  });

  test('refuses times that cannot work', () => {
    const { options } = setUp();
    assert.throws(
      () => createElector({ ...options, identity: 'x', leaseMs: 10_000 }),
      /Cannot elect with a lease of 10000 ms/,
    );
  });
});

/** A lease that several wires lead to, with the server's rule about versions. */
function setUp() {
  const clock = new ManualClock();
  let seed = 1;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const office = {
    lease: undefined as Lease | undefined,
    version: 0,
    write(lease: Lease): Lease {
      office.version++;
      const metadata = { ...lease.metadata, resourceVersion: String(office.version) };
      office.lease = deepCopy({ ...lease, metadata });
      return deepCopy(office.lease);
    },
    usurp(identity: string) {
      const { spec } = office.lease as Lease;
      const transitions = (spec?.leaseTransitions ?? 0) + 1;
      office.write({
        ...(office.lease as Lease),
        spec: { ...spec, holderIdentity: identity, leaseTransitions: transitions },
      });
    },
  };
  const gr = { group: Leases.group, resource: Leases.plural };
  const options = {
    clock,
    random,
    namespace: 'n',
    name: 'l',
    logger: silentLogger,
    client: {} as never,
  };

  function stand(identity: string) {
    const wire = { isCut: false, hangs: false };
    const through = async <T>(act: () => T): Promise<T> => {
      if (wire.hangs) await new Promise(() => {});
      if (wire.isCut) throw new Error('cut');
      return act();
    };
    const client = {
      get: () =>
        through(() => {
          if (office.lease === undefined) throw notFound(gr, 'l');
          return deepCopy(office.lease);
        }),
      create: (_: unknown, lease: Lease) =>
        through(() => {
          if (office.lease !== undefined) throw conflict(gr, 'l', 'there');
          return office.write(lease);
        }),
      replace: (_: unknown, lease: Lease) =>
        through(() => {
          if (lease.metadata.resourceVersion !== office.lease?.metadata.resourceVersion) {
            throw conflict(gr, 'l', 'changed');
          }
          return office.write(lease);
        }),
    } as unknown as LeaseLockOptions['client'];
    const told: string[] = [];
    const record: ElectorOptions['record'] = ({ metadata }, { reason, action, note }) => {
      told.push(`${metadata.name} ${reason} ${action} ${note}`);
    };
    const elector: Elector = createElector({ ...options, identity, client, record });
    let hasLost = false;
    let finish = () => {};
    let isInOffice = () => false;
    const serve = () =>
      elector
        .serve(new AbortController().signal, (term) => {
          isInOffice = term.isInOffice;
          return new Promise<void>((resolve) => {
            finish = resolve;
            term.lost.addEventListener('abort', () => resolve());
          });
        })
        .then((isLost) => {
          hasLost = isLost;
        });
    void serve();
    return {
      elector,
      told,
      wire,
      lost: () => hasLost,
      isInOffice: () => isInOffice(),
      finish: () => finish(),
      standAgain: () => void serve(),
    };
  }
  return { clock, office, stand, options };
}
