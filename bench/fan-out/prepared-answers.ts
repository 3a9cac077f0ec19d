import { gzipSync } from 'node:zlib';
import type { ApiRequest, ApiResponse, Around } from '@flotilla/apiserver';

/** Our server, as kube-apiserver does, compresses what is larger than this, at this level. */
const GZIP_ABOVE_BYTES = 128 * 1024;
const GZIP_LEVEL = 1;

/** What an answer may depend on, beside its path. */
const HEADERS = ['accept', 'accept-encoding', 'authorization', 'if-none-match', 'impersonate-user'];

/** Answers of one server that are made once. */
export interface PreparedAnswers {
  readonly around: Around;
  /** From here on nothing changes by itself: what is answered now will be answered again. */
  readonly prepare: () => void;
}

/**
 * What a server said to a read is sent again, byte for byte and compressed as it was, until something is written. Watches,
 * and lists that are made while they are sent, are the server's own every time.
 */
export function preparedAnswers(): PreparedAnswers {
  let answers: Map<string, ApiResponse> | undefined;
  const around: Around = async (request, next) => {
    if (request.method !== 'GET') {
      // What follows from a write, such as a kind that is served, may come later.
      answers = undefined;
      return await next(request);
    }
    const into = answers;
    if (into === undefined) return await next(request);
    const key = keyOf(request);
    const kept = into.get(key);
    if (kept !== undefined) return kept;
    const answer = await next(request);
    if (!('start' in answer.body)) {
      const whole = Buffer.concat(Buffer.isBuffer(answer.body) ? [answer.body] : answer.body);
      into.set(key, compressed({ ...answer, body: whole }, whole, request));
    }
    return answer;
  };
  const prepare = (): void => {
    answers = new Map();
  };
  return { around, prepare };
}

function keyOf({ path, query, headers }: ApiRequest): string {
  return JSON.stringify([path, query.toString(), ...HEADERS.map((name) => headers[name])]);
}

/** What the listener would do to it at every request; it tells no length of what it compresses either. */
function compressed(answer: ApiResponse, whole: Buffer, { headers }: ApiRequest): ApiResponse {
  const asks = headers['accept-encoding']?.split(',').some((each) => each.trim() === 'gzip');
  const isDone = answer.headers['content-encoding'] !== undefined;
  if (asks !== true || isDone || whole.length <= GZIP_ABOVE_BYTES) return answer;
  const bytes = gzipSync(whole, { level: GZIP_LEVEL });
  return {
    status: answer.status,
    headers: { ...answer.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
    body: {
      start: (sink) => {
        sink.write(bytes);
        sink.end();
      },
    },
  };
}
