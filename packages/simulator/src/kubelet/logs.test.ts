import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContainerStatus, Pod } from '../kinds.ts';
import { formatLines, logLines, readLogQuery } from './logs.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

describe('the log of a simulated container', () => {
  test('follows from when it started, and is not kept anywhere', () => {
    const lines = logLines(pod({ 'log-lines': '1', 'log-every-seconds': '10' }), running, {
      isPrevious: false,
      nowMs: START + 25_000,
    });
    assert.deepEqual(
      lines?.map(({ atMs, text }) => [atMs - START, text]),
      [
        [0, 'starting main from app:1'],
        [10_000, 'main: line 2'],
        [20_000, 'main: line 3'],
      ],
    );
  });

  test('is rotated before it fills the memory', () => {
    const lines = logLines(pod({ 'log-every-seconds': '0.001' }), running, {
      isPrevious: false,
      nowMs: START + 1e9,
    });
    assert.equal(lines?.length, 10_000);
  });

  test('is cut as the query says', () => {
    const lines = [0, 1, 2].map((at) => ({ atMs: START + at * 1000, text: `line ${at}` }));
    const show = (query: string): string =>
      formatLines(lines, readLogQuery(new URLSearchParams(query), START + 2500));
    assert.equal(show('tailLines=1'), 'line 2\n');
    assert.equal(show('tailLines=0'), '');
    assert.equal(show('sinceSeconds=2'), 'line 1\nline 2\n');
    assert.equal(show('sinceTime=2026-01-01T00:00:02Z'), 'line 2\n');
    assert.equal(show('limitBytes=8'), 'line 0\nl');
    assert.equal(show('timestamps=true&tailLines=1'), '2026-01-01T00:00:02.000000000Z line 2\n');
  });

  test('has no previous run before the first crash', () => {
    assert.equal(logLines(pod({}), running, { isPrevious: true, nowMs: START }), undefined);
  });
});

const running: ContainerStatus = {
  name: 'main',
  image: 'app:1',
  imageID: '',
  ready: true,
  restartCount: 0,
  state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
};

function pod(annotations: Record<string, string>): Pod {
  const prefixed = Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`simulator.flotilla.dev/${name}`, value]),
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', annotations: prefixed },
    spec: { containers: [] },
  };
}
