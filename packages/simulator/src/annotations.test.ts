import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBehaviour } from './annotations.ts';
import type { Pod } from './kinds.ts';

describe('readBehaviour', () => {
  test('lets a plain pod run for ever, ready at once', () => {
    const { behaviour, problems } = readBehaviour(pod({}));
    assert.deepEqual(problems, []);
    assert.deepEqual(behaviour, {
      startSeconds: 0,
      readySeconds: 0,
      isUnready: false,
      crashAfterSeconds: undefined,
      runSeconds: undefined,
      exitCode: undefined,
      stopSeconds: 0,
      logLines: 3,
      logEverySeconds: undefined,
    });
  });

  test('lets a pod end that is meant to', () => {
    assert.equal(readBehaviour(pod({}, 'Never')).behaviour.runSeconds, 1);
    assert.equal(readBehaviour(pod({ 'run-seconds': '60' }, 'OnFailure')).behaviour.runSeconds, 60);
  });

  test('tells of every value that makes no sense, and does without it', () => {
    const { behaviour, problems } = readBehaviour(
      pod({
        'start-seconds': '-1',
        unready: 'maybe',
        'exit-code': '256',
        'log-lines': '20000',
        'log-every-seconds': '0',
        'crash-after-seconds': '1e9',
      }),
    );
    assert.equal(problems.length, 6);
    assert.deepEqual(behaviour, readBehaviour(pod({})).behaviour);
  });
});

function pod(annotations: Record<string, string>, restartPolicy = 'Always'): Pod {
  const prefixed = Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`simulator.flotilla.dev/${name}`, value]),
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', annotations: prefixed },
    spec: { restartPolicy, containers: [] },
  };
}
