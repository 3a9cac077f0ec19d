import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const events = kindTester('/v1/Event');
const newEvents = kindTester('events.k8s.io/v1/Event');
const about = { namespace: 'default', kind: 'Pod', name: 'p' };
const time = '2026-01-02T03:04:05.000000Z';
const mismatch = (namespace: string) =>
  `involvedObject.namespace: Invalid value: "${namespace}": does not match event.namespace`;

test('core events only need to be in the namespace of what they are about', () => {
  events.refuses([
    [{ involvedObject: about }, []],
    [{ involvedObject: { namespace: 'other' } }, [mismatch('other')]],
    [{ involvedObject: {} }, []],
    [{ metadata: { namespace: 'other' }, involvedObject: {} }, [mismatch('')]],
  ]);
});

test('core events with an event time say who reports what', () => {
  const qualified =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  events.refuses([
    [
      { involvedObject: about, eventTime: time },
      [
        'reportingComponent: Required value',
        'reportingComponent: Invalid value: "": name part must be non-empty',
        `reportingComponent: Invalid value: "": ${qualified}`,
        'reportingInstance: Required value',
        'action: Required value',
        'reason: Required value',
      ],
    ],
    [
      {
        involvedObject: about,
        eventTime: time,
        reportingComponent: 'a',
        reportingInstance: 'x'.repeat(129),
        action: 'x'.repeat(129),
        reason: 'x'.repeat(129),
        message: 'x'.repeat(1025),
      },
      [
        'reportingInstance: Invalid value: "": can have at most 128 characters',
        'action: Invalid value: "": can have at most 128 characters',
        'reason: Invalid value: "": can have at most 128 characters',
        'message: Invalid value: "": can have at most 1024 characters',
      ],
    ],
  ]);
});

const good = {
  regarding: about,
  eventTime: time,
  reportingController: 'a.b/c',
  reportingInstance: 'i',
  action: 'A',
  reason: 'R',
  type: 'Normal',
};

test('events of events.k8s.io are complete and leave the old fields alone', () => {
  newEvents.refuses([
    [good, []],
    [
      { regarding: about },
      ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '],
    ],
    [
      {
        ...good,
        type: 'x',
        series: { count: 1 },
        deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
        deprecatedLastTimestamp: '2026-01-01T00:00:00Z',
        deprecatedCount: 1,
        deprecatedSource: { component: 'x' },
      },
      [
        'series.count: Invalid value: "": should be at least 2',
        'series.lastObservedTime: Required value',
        'type: Invalid value: "": has invalid value: x',
        'firstTimestamp: Invalid value: "": needs to be unset',
        'lastTimestamp: Invalid value: "": needs to be unset',
        'count: Invalid value: "": needs to be unset',
        'source: Invalid value: "": needs to be unset',
      ],
    ],
  ]);
});

test('only the series of an event of events.k8s.io may change', () => {
  newEvents.plays([
    {
      object: good,
      steps: [
        { set: 'series', to: { count: 2, lastObservedTime: time } },
        {
          set: 'note',
          to: 'x',
          errors: ['message: Invalid value: "x": field is immutable'],
        },
        {
          set: 'regarding/name',
          to: 'q',
          errors: [
            'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"default","Name":"q","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
          ],
        },
        {
          set: 'reportingController',
          to: 'z',
          errors: ['reportingController: Invalid value: "z": field is immutable'],
        },
        {
          set: 'series/count',
          to: 1,
          errors: ['series.count: Invalid value: "": should be at least 2'],
        },
      ],
    },
  ]);
});

test('an event shows when it was last and first seen, and how often', () => {
  events.shows([
    [
      {
        involvedObject: { ...about, fieldPath: 'spec.x' },
        type: 'Warning',
        reason: 'R',
        message: ' m \n',
        source: { component: 'c', host: 'h' },
        firstTimestamp: '2026-01-02T03:02:05Z',
        lastTimestamp: '2026-01-02T03:03:05Z',
        count: 3,
      },
      ['60s', 'Warning', 'R', 'pod/p', 'spec.x', 'c, h', 'm', '2m', 3, 'x'],
    ],
    [
      { involvedObject: {}, eventTime: '2026-01-02T03:04:00.000000Z', reportingComponent: 'r' },
      ['5s', '', '', '', '', 'r', '', '5s', 1, 'x'],
    ],
    [
      {
        involvedObject: about,
        eventTime: '2026-01-02T03:00:05.000000Z',
        series: { count: 7, lastObservedTime: '2026-01-02T03:04:04.000000Z' },
      },
      ['1s', '', '', 'pod/p', '', '', '', '4m', 7, 'x'],
    ],
    [{ involvedObject: about }, ['<unknown>', '', '', 'pod/p', '', '', '', '<unknown>', 1, 'x']],
  ]);
  newEvents.shows([
    [{ ...good, note: 'n' }, ['0s', 'Normal', 'R', 'pod/p', '', 'a.b/c, i', 'n', '0s', 1, 'x']],
  ]);
});

test('the source of an event falls back to its reporter in field selectors', () => {
  const source = events.behaviour.selectableFields?.['source'];
  assert.equal(
    source?.(events.create({ source: { component: 'c' }, reportingComponent: 'r' })),
    'c',
  );
  assert.equal(source?.(events.create({ reportingComponent: 'r' })), 'r');
});
