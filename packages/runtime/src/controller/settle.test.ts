import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import type { Condition } from '../conditions/condition.ts';
import type { ConditionSet } from '../conditions/condition-set.ts';
import { resyncAfter, untilChanged } from './endings.ts';
import { type OpenPass, openPass } from './pass.ts';
import { settle } from './settle.ts';

const conditions = {
  Reachable: ['Connected', 'Unreachable'],
  Published: ['Listed', 'NameTaken'],
} as const satisfies ConditionSet;

type Thing = KubeObject & { status: { conditions?: Condition[]; phase?: string; seen?: number } };

describe('settle', () => {
  test('makes a pass that came to its end Ready, and repeats it when it asks for that', async () => {
    const pass = open();
    const settled = await settle(pass, () => {
      pass.mark('Reachable', 'Connected', 'ok');
      pass.object.status.seen = 1;
      return resyncAfter(1000);
    });

    assert.deepEqual(settled, { outcome: 'done', requeue: 'after', afterMs: 1000 });
    assert.deepEqual(says(pass), { Ready: 'True Succeeded', Reachable: 'True Connected' });
    assert.deepEqual(pass.changes().status?.['seen'], 1);
    assert.equal(pass.changes().status?.['observedGeneration'], 3);
  });

  test('turns waiting into a condition and a delay', async () => {
    const pass = open();
    const settled = await settle(pass, () => {
      throw pass.waiting('Reachable', 'Unreachable', { message: 'refused', afterMs: 30 });
    });

    assert.deepEqual(settled, { outcome: 'waiting', requeue: 'after', afterMs: 30 });
    assert.deepEqual(says(pass), {
      Ready: 'False Unreachable',
      Reachable: 'False Unreachable',
      Reconciling: 'True Progressing',
    });
  });

  test('turns stalled into a condition and no more attempts', async () => {
    const pass = open();
    const settled = await settle(pass, async () => {
      throw pass.stalled('Published', 'NameTaken', 'west is taken');
    });

    assert.deepEqual(settled, { outcome: 'stalled', requeue: 'never' });
    assert.deepEqual(says(pass), {
      Ready: 'False NameTaken',
      Published: 'False NameTaken',
      Stalled: 'True NameTaken',
    });
  });

  test('leaves a failure it does not understand to the back-off, without its secrets', async () => {
    const pass = open();
    const bug = new TypeError('Bearer abcdefghi is not a function of opensesame');
    const settled = await settle(pass, () => {
      pass.conceal('opensesame');
      throw bug;
    });

    assert.deepEqual(settled, { outcome: 'failed', requeue: 'backoff', error: bug });
    assert.equal(
      pass.ledger.get('Ready')?.message,
      'Bearer [redacted] is not a function of [redacted]',
    );
    assert.equal(says(pass)['Reconciling'], 'True ProgressingWithRetry');
  });

  test('moves lastTransitionTime only with the status', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    const first = open({ clock });
    await settle(first, () => {
      first.mark('Reachable', 'Connected', 'one');
      return untilChanged;
    });
    await clock.advance(60_000);
    const second = open({ clock, status: { conditions: first.ledger.list() } });
    await settle(second, () => {
      second.mark('Reachable', 'Connected', 'two');
      second.mark('Published', 'Listed', '');
      return untilChanged;
    });

    const time = (type: string) => second.ledger.get(type)?.lastTransitionTime;
    assert.equal(time('Reachable'), '2026-01-01T00:00:00Z');
    assert.equal(second.ledger.get('Reachable')?.message, 'two');
    assert.equal(time('Ready'), '2026-01-01T00:00:00Z');
    assert.equal(time('Published'), '2026-01-01T00:01:00Z');
    assert.deepEqual(
      second.ledger.transitions().map(({ after }) => after.type),
      ['Published'],
    );
  });

  test('changes nothing when a pass finds what the last one found', async () => {
    const first = open();
    const body = (pass: OpenPass<Thing, typeof conditions>) => () => {
      pass.mark('Reachable', 'Connected', 'ok');
      return untilChanged;
    };
    await settle(first, body(first), { phase: () => 'Ready' });
    const status = first.object.status;
    const second = open({ status });
    await settle(second, body(second), { phase: () => 'Ready' });

    assert.ok(!second.hasTouchedStatus);
    assert.deepEqual(second.changes(), { main: undefined, status: undefined });
    assert.deepEqual(second.ledger.transitions(), []);
  });

  test('takes away what a completed pass no longer mentions, and keeps it after a broken one', async () => {
    const before = open();
    await settle(before, () => {
      throw before.waiting('Published', 'NameTaken', { message: '', afterMs: 1 });
    });
    const { status } = before.object;

    const broken = open({ status });
    await settle(broken, () => {
      throw new Error('no');
    });
    assert.equal(says(broken)['Published'], 'False NameTaken');

    const complete = open({ status });
    await settle(complete, () => untilChanged);
    assert.deepEqual(says(complete), { Ready: 'True Succeeded' });
  });

  test('keeps what is its own when a body replaces the status, and what others wrote', async () => {
    const foreign: Condition = {
      type: 'Foreign',
      status: 'True',
      reason: 'Theirs',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const pass = open({ status: { conditions: [foreign] } });
    await settle(
      pass,
      () => {
        pass.object.status = { seen: 2 };
        return untilChanged;
      },
      { phase: ({ isDeleting }) => (isDeleting ? 'Deleting' : 'Ready') },
    );

    const { status } = pass.object;
    assert.equal(status.phase, 'Ready');
    assert.equal(status.seen, 2);
    assert.deepEqual(
      status.conditions?.map(({ type }) => type),
      ['Ready', 'Foreign'],
    );
  });

  test('lets a controller derive the rest of the status from what is about to be written', async () => {
    const pass = open({ status: { seen: 1 } });
    await settle(
      pass,
      () => {
        throw pass.stalled('Published', 'NameTaken', 'It is taken');
      },
      {
        derive: (status, { conditions, observed, isDeleting, now }) => {
          const ready = conditions.find(({ type }) => type === 'Ready');
          const { status: before } = observed as Thing;
          status['phase'] =
            `${ready?.reason} after ${before.seen} at ${now.getTime() > 0} ${isDeleting}`;
        },
      },
    );
    assert.equal(pass.object.status.phase, 'NameTaken after 1 at true false');
  });

  test('leaves the summary to another controller where it is told to', async () => {
    const pass = open();
    await settle(
      pass,
      () => {
        pass.mark('Published', 'Listed', '');
        return untilChanged;
      },
      { ownsSummary: false, phase: () => 'never' },
    );

    assert.deepEqual(says(pass), { Published: 'True Listed' });
    assert.deepEqual(Object.keys(pass.changes().status ?? {}), ['conditions']);
  });
});

function open(
  options: { status?: Thing['status']; clock?: ManualClock } = {},
): OpenPass<Thing, typeof conditions> {
  const { status, clock = new ManualClock() } = options;
  const object = {
    apiVersion: 'test.flotilla.dev/v1',
    kind: 'Thing',
    metadata: { name: 'x', generation: 3 },
    ...(status === undefined ? {} : { status }),
  } as Thing;
  return openPass({ object, conditions, clock });
}

function says(pass: OpenPass<Thing, typeof conditions>): Record<string, string> {
  return Object.fromEntries(
    pass.ledger.list().map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  );
}
