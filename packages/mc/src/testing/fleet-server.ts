import { type Client, createClient, createTransport } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { startServer, type TestApiServer, type TestServerOptions } from '@flotilla/testkit';

/** Answers a request instead of a server, or has `next` do it. */
export type Answering = NonNullable<TestServerOptions['around']>;

/** A request as a server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The hub or a member of a test's fleet. */
export interface FleetServer extends AsyncDisposable {
  /** Of the server, and of its context in the kubeconfig. */
  readonly name: string;
  readonly server: TestApiServer;
  /** As its administrator, for tests to prepare and look; its requests are not recorded. */
  readonly client: Client;
  /** What others asked so far, in the order it came; set `length = 0` to forget. */
  readonly requests: SeenRequest[];
  /** From now on requests are answered so; undefined has the server answer again. The test's own client is spared. */
  readonly answerWith: (answering: Answering | undefined) => void;
}

/** Tells requests of tests from those that are tested. */
const OWN_AGENT = 'flotilla-test';

/** Starts a server that remembers what it was asked. */
export async function startFleetServer(
  name: string,
  options: Omit<TestServerOptions, 'around'> = {},
): Promise<FleetServer> {
  const requests: SeenRequest[] = [];
  let answering: Answering | undefined;
  const server = await startServer({
    ...options,
    around: (request, next) => {
      if (request.headers['user-agent']?.startsWith(OWN_AGENT) === true) return next(request);
      const { method, path, query, headers } = request;
      requests.push({ method, path, query, headers });
      return answering === undefined ? next(request) : answering(request, next);
    },
  });
  const client = createClient(
    createTransport({
      access: server.access,
      clock: systemClock,
      random: () => 0.5,
      userAgent: OWN_AGENT,
    }),
  );
  return {
    name,
    server,
    client,
    requests,
    answerWith: (given) => {
      answering = given;
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** An answer in JSON, for `answerWith`. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Awaited<ReturnType<Answering>> {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** A refusal as API servers write it, for `answerWith`. */
export function refusalAnswer(
  code: number,
  reason: string,
  message: string,
): Awaited<ReturnType<Answering>> {
  return jsonAnswer(code, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
  });
}
