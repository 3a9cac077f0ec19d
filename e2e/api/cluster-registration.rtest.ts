import { after, describe } from 'node:test';
import { connect } from '../../conformance/index.ts';
import { startSide } from '../sides.ts';
import { type Ask, clusterRegistrationCases, install } from './cluster-registration.cases.ts';

const side = await startSide('real');
after(() => side.stop());
const connection = connect(side);
after(() => connection.close());
const ask: Ask = async (request, body, type = 'application/json') => {
  const [method = 'GET', path = '/'] = request.split(' ');
  const answer = await connection.send({
    method,
    path,
    token: side.token,
    headers:
      body === undefined ? { accept: type } : { accept: 'application/json', 'content-type': type },
    bytes: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  });
  return {
    code: answer.code,
    body: JSON.parse(answer.bytes.toString()),
    warning: answer.headers['warning']?.toString(),
  };
};
await install(ask);

describe('ClusterRegistrations on a real kube-apiserver', () => clusterRegistrationCases(ask));
