import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Case } from '../case.ts';
import { generateCase } from './generate-case.ts';
import { shrink } from './shrink.ts';

const each: Case = {
  id: 'x',
  topic: 't',
  title: 'x',
  steps: ['/a', '/b', '/c', '/d'].map((path) => ({ verb: 'GET', path })),
};

test('only the steps that a difference needs remain', async () => {
  const needs = (paths: readonly string[]) => async (smaller: Case) =>
    paths.every((path) => smaller.steps.some((step) => step.path === path));
  const pathsOf = ({ steps }: Case) => steps.map(({ path }) => path);

  assert.deepEqual(pathsOf(await shrink(each, needs(['/b', '/d']))), ['/b', '/d']);
  assert.deepEqual(pathsOf(await shrink(each, needs(['/a']))), ['/a']);
  assert.deepEqual(pathsOf(await shrink(each, async () => false)), ['/a', '/b', '/c', '/d']);
});

test('a step that saves what another sends stays with it', async () => {
  const steps: Case['steps'] = [
    { verb: 'GET', path: '/a', save: { rv: 'metadata.resourceVersion' } },
    { verb: 'PUT', path: '/a', body: { rv: '{rv}' } },
    { verb: 'GET', path: '/b' },
  ];

  const smaller = await shrink({ ...each, steps }, async ({ steps: left }) =>
    left.some(({ verb }) => verb === 'PUT'),
  );

  assert.deepEqual(smaller.steps, steps.slice(0, 2));
});

test('a seed makes one case, and another seed another', () => {
  assert.deepEqual(generateCase(7), generateCase(7));
  assert.notDeepEqual(generateCase(7).steps, generateCase(8).steps);
});
