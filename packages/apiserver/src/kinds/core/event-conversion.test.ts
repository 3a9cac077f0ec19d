import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CoreEvent, coreEventOf, eventsEventOf } from './event-conversion.ts';

const core: CoreEvent = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'e', namespace: 'default' },
  involvedObject: { kind: 'Pod', name: 'p' },
  reason: 'R',
  message: 'm',
  source: { component: 'c' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: null,
  count: 2,
  type: 'Normal',
  eventTime: null,
  series: { count: 3, lastObservedTime: null },
  action: 'A',
  related: { name: 'r' },
  reportingComponent: 'rc',
  reportingInstance: '',
};

test('an event keeps everything on its way to events.k8s.io and back', () => {
  const event = eventsEventOf(core);
  assert.deepEqual(event, {
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: { name: 'e', namespace: 'default' },
    eventTime: null,
    series: { count: 3, lastObservedTime: null },
    reportingController: 'rc',
    action: 'A',
    reason: 'R',
    regarding: { kind: 'Pod', name: 'p' },
    related: { name: 'r' },
    note: 'm',
    type: 'Normal',
    deprecatedSource: { component: 'c' },
    deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
    deprecatedLastTimestamp: null,
    deprecatedCount: 2,
  });
  assert.deepEqual(coreEventOf(event), core);
});
