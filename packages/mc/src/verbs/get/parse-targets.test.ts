import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTargets } from './parse-targets.ts';

function read(...args: string[]): string[] {
  return parseTargets(args).map(
    ({ cluster, type, name, glob, segment }) =>
      `${segment}:${cluster === undefined ? '' : `${cluster}:`}${type}${name === undefined ? '' : `/${name}`}${glob === undefined ? '' : '*'}`,
  );
}

describe('arguments', () => {
  for (const [args, wanted] of [
    ['pods', ['0:pods']],
    ['pods,svc,pods', ['0:pods', '1:svc']],
    ['pod a b', ['0:pod/a', '0:pod/b']],
    ['pod,svc a b', ['0:pod/a', '0:pod/b', '1:svc/a', '1:svc/b']],
    ['pod/a svc/b pod/c', ['0:pod/a', '1:svc/b', '2:pod/c']],
    ['deployments.v1.apps/x', ['0:deployments.v1.apps/x']],
    ['pod web-*', ['0:pod/web-**']],
    ['pod/web-[ab]', ['0:pod/web-[ab]*']],
    ['c1:pod/x', ['0:c1:pod/x']],
    ['c1:pod/x c2:pod/x', ['0:c1:pod/x', '0:c2:pod/x']],
    ['ns/edge:pod/x', ['0:ns/edge:pod/x']],
    ['c1:clusterrole/system:node', ['0:c1:clusterrole/system:node']],
    ['clusterrole/system:node', ['0:clusterrole/system:node']],
    ['clusterrole system:node', ['0:clusterrole/system:node']],
    ['pod/a c1:pod/b', ['0:pod/a', '0:c1:pod/b']],
    ['', []],
  ] as const) {
    test(`${args} are ${wanted.join(' ')}`, () => {
      assert.deepEqual(read(...args.split(' ').filter((arg) => arg !== '')), wanted);
    });
  }

  for (const [args, message] of [
    ['pod pod/a', /^there is no need to specify a resource type as a separate argument/],
    ['pod/a/b', /^arguments in resource\/name form may not have more than one slash$/],
    ['pod/', /^arguments in resource\/name form must have a single resource and name$/],
    ['/a', /^arguments in resource\/name form must have a single resource and name$/],
    ['pod,svc/a', /^arguments in resource\/name form must have a single resource and name$/],
    [`pod ${'{a,b}'.repeat(20)}`, /it stands for too many names$/],
  ] as const) {
    test(`${args.slice(0, 20)} are refused`, () => {
      assert.throws(() => read(...args.split(' ')), { name: 'UsageError', message });
    });
  }
});
