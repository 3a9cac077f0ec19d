import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planRefresh } from './refresh-method.ts';

const event = { digest: '0123456789ab', at: new Date('2025-03-04T05:06:07.890Z') };

describe('planRefresh', () => {
  test('asks newer KubeVelas to restart the workflow, which pins nothing', () => {
    assert.deepEqual(planRefresh('restart-workflow', {}, event), {
      does: 'write',
      annotations: { 'app.oam.dev/restart-workflow': 'true' },
      pins: false,
    });
  });

  test('never ends a plan of restarts that the user made', () => {
    const planned = { 'app.oam.dev/restart-workflow': '1h30m' };

    assert.deepEqual(planRefresh('restart-workflow', planned, event), {
      does: 'wait',
      every: '1h30m',
    });
    for (const value of ['true', '2025-01-15T14:30:00Z', 'soon']) {
      const annotations = { 'app.oam.dev/restart-workflow': value };
      assert.equal(planRefresh('restart-workflow', annotations, event).does, 'write');
    }
  });

  test('names the event in the publishVersion of older ones, and tells when that pins', () => {
    const annotations = { 'app.oam.dev/publishVersion': 'clusterjoin-20250304050607-0123456789ab' };

    assert.deepEqual(planRefresh('publish-version', {}, event), {
      does: 'write',
      annotations,
      pins: true,
    });
    assert.deepEqual(
      planRefresh('publish-version', { 'app.oam.dev/publishVersion': 'v1' }, event),
      { does: 'write', annotations, pins: false },
    );
  });

  test('does not write what the webhook of KubeVela would refuse', () => {
    const plan = planRefresh('publish-version', { 'app.oam.dev/autoUpdate': 'true' }, event);

    assert.equal(plan.does, 'refuse');
    assert.equal(
      planRefresh('restart-workflow', { 'app.oam.dev/autoUpdate': 'true' }, event).does,
      'write',
    );
  });
});
