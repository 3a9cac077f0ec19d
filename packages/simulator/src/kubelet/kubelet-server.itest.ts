import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import type { ContainerStatus, Pod } from '../kinds.ts';
import { type KubeletServer, startKubeletServer } from './kubelet-server.ts';

const START = '2026-01-01T00:00:00Z';

test('a log that is followed has its last line, although the second of its end is over already', async () => {
  const clock = new ManualClock(START);
  let pod = podWith({ running: { startedAt: START } });
  await using kubelet = await startKubeletServer({ host: '127.0.0.1', clock, findPod: () => pod });
  await clock.advance(2_400);
  const answer = await follow(kubelet);
  let text = '';
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await eventually(() => text.includes('line 2\n'));

  const finishedAt = '2026-01-01T00:00:02Z';
  pod = podWith({ terminated: { exitCode: 0, startedAt: START, finishedAt } });
  const ended = once(answer, 'end');
  await clock.advance(1_000);
  await ended;

  assert.match(text, /^starting main from app:1\nmain: line 2\n.*exiting with code 0\n$/s);
  assert.equal(text.match(/exiting/g)?.length, 1);
});

test('the log of a container that has ended is over at once, with its last line once', async () => {
  const finishedAt = '2026-01-01T00:00:02Z';
  const pod = podWith({ terminated: { exitCode: 3, startedAt: START, finishedAt } });
  const clock = new ManualClock(finishedAt);
  await using kubelet = await startKubeletServer({ host: '127.0.0.1', clock, findPod: () => pod });

  const answer = await follow(kubelet);
  const pieces = await answer.setEncoding('utf8').toArray();

  assert.equal((pieces.join('') as string).match(/exiting with code 3\n/g)?.length, 1);
});

async function follow({ port }: KubeletServer): Promise<IncomingMessage> {
  const request = get({
    host: '127.0.0.1',
    port,
    path: '/containerLogs/default/p/main?follow=true',
    rejectUnauthorized: false,
    agent: false,
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}

function podWith(state: NonNullable<ContainerStatus['state']>): Pod {
  const name = 'main';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'default',
      annotations: { 'simulator.flotilla.dev/log-lines': '2' },
    },
    spec: { containers: [{ name, image: 'app:1' }] },
    status: {
      containerStatuses: [
        { name, image: 'app:1', imageID: '', ready: false, restartCount: 0, state },
      ],
    },
  };
}
