import type { ServerResponse } from 'node:http';
import type { RawAnswer } from './raw-member.ts';

/** Nothing, ever. */
export const neverAnswer: RawAnswer = () => {};

/** The same JSON for every request. */
export function jsonRaw(body: unknown, status = 200): RawAnswer {
  return (_request, response) => send(response, status, body);
}

/** A list of pods of these names. */
export function podsRaw(...names: string[]): RawAnswer {
  return jsonRaw(podList(names));
}

/** The same after `ms`. */
export function slowRaw(ms: number, answer: RawAnswer): RawAnswer {
  return async (request, response, count) => {
    const timer = setTimeout(() => void answer(request, response, count), ms);
    request.socket.once('close', () => clearTimeout(timer));
  };
}

/** A refusal in the form of API servers. */
export function refusalRaw(code: number, reason: string, message: string): RawAnswer {
  return jsonRaw(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
    code,
  );
}

/** What answers an unknown user. */
export const unauthorizedRaw: RawAnswer = refusalRaw(401, 'Unauthorized', 'Unauthorized');

/** JSON that is cut off in the middle. */
export const malformedJsonRaw: RawAnswer = (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"s3cr3t');
};

/** A Table whose parts are of other types than they should. */
export const malformedTableRaw: RawAnswer = jsonRaw({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: 'none',
  columnDefinitions: { name: 'Name' },
  rows: [{ cells: 'x' }, null, 3],
});

/** A body that goes on for as long as anyone reads. */
export const endlessRaw: RawAnswer = (_request, response) => {
  response.setHeader('content-type', 'application/json');
  const more = () => {
    while (!response.destroyed && response.write('[1,2,3,4,5,6,7,8,9,10],'.repeat(100)));
  };
  response.on('drain', more);
  response.write('{"items":[');
  more();
};

/** 429 with Retry-After for the first `times` requests, then the answer. */
export function throttledRaw(
  answer: RawAnswer,
  { times = 1, seconds = 1 }: { times?: number; seconds?: number } = {},
): RawAnswer {
  const refuse = refusalRaw(429, 'TooManyRequests', 'the server is busy');
  return (request, response, count) => {
    if (count > times) return answer(request, response, count);
    response.setHeader('retry-after', String(seconds));
    return refuse(request, response, count);
  };
}

/** A first page, a second one that has expired, and the whole list for who starts over. */
export const expiringPagesRaw: RawAnswer = (request, response, count) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://member');
  if (searchParams.has('continue')) {
    const refuse = refusalRaw(410, 'Expired', 'The provided continue parameter is too old');
    return refuse(request, response, count);
  }
  if (searchParams.get('limit') === null) return send(response, 200, podList(['a', 'b', 'c']));
  return send(response, 200, podList(['a', 'b'], { continue: 'page2' }));
};

/** Points elsewhere. */
export const redirectRaw: RawAnswer = (_request, response) => {
  response.writeHead(302, { location: 'https://127.0.0.1:1/steal?x=1' }).end();
};

/** Ends the connection instead of answering the first `times` requests. */
export function droppingRaw(answer: RawAnswer, times = 1): RawAnswer {
  return (request, response, count) => {
    if (count > times) return answer(request, response, count);
    request.socket.destroy();
  };
}

function podList(names: readonly string[], metadata: object = {}): object {
  return {
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1', ...metadata },
    items: names.map((name) => ({ metadata: { name, namespace: 'default' } })),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}
