import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imageTag } from './image-name.ts';

describe('imageTag', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  for (const [image, tag] of [
    ['nginx', 'latest'],
    ['nginx:1.2', '1.2'],
    ['nginx:latest', 'latest'],
    ['team/app', 'latest'],
    ['localhost:5000/app', 'latest'],
    ['localhost:5000/app:v1', 'v1'],
    ['Registry/app', 'latest'],
    [`app@${digest}`, ''],
    [`app:latest@${digest}`, 'latest'],
    ['app@sha256:abc', ''],
    ['team/App', ''],
    ['not an image', ''],
    ['', ''],
  ] as const) {
    test(`"${image}" has ${tag === '' ? 'none' : tag}`, () => {
      assert.equal(imageTag(image), tag);
    });
  }
});
