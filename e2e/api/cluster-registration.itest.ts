import { after, describe } from 'node:test';
import { startInMemory } from '../../packages/apiserver/src/testing/start-in-memory.ts';
import { type Ask, clusterRegistrationCases, install } from './cluster-registration.cases.ts';

const server = await startInMemory();
after(() => server[Symbol.asyncDispose]());
const ask: Ask = async (request, body, type = 'application/json') => {
  const answer = await server.send(request, {
    ...(body === undefined
      ? { headers: { accept: type } }
      : { body: body as object, headers: { 'content-type': type } }),
  });
  const read = JSON.parse((await answer.whole()).toString());
  return { code: answer.status, body: read, warning: answer.headers['warning']?.toString() };
};
await install(ask);

describe('ClusterRegistrations on the embedded server', () => clusterRegistrationCases(ask));
