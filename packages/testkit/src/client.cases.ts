import { after, before } from 'node:test';
import {
  type Access,
  type AskDirectly,
  type Client,
  ConfigMaps,
  CustomResourceDefinitions,
  createClient,
  Namespaces,
  type ServerWarning,
} from '@flotilla/client';
import { discoveryCases } from './client/discovery.cases.ts';
import { configMap, served, widgetDefinition } from './client/fixtures.ts';
import { listCases } from './client/list.cases.ts';
import type { CasesPlace } from './client/place.ts';
import { refusalCases } from './client/refusal.cases.ts';
import { verbCases } from './client/verb.cases.ts';
import { watchCases } from './client/watch.cases.ts';
import { directTransportTo, transportTo } from './testing/connect-client.ts';

/** A server to run the cases on. */
export interface CasesServer extends AsyncDisposable {
  readonly access: Access;
  /** Of servers in this process. */
  readonly ask?: AskDirectly;
}

/** In what servers may differ and yet be right. */
export interface CasesOptions {
  /** True when a kind's revisions from before it was first watched count as gone. @default false */
  readonly forgetsEarly?: boolean;
  /** True asks a server in this process without a socket. @default false */
  readonly isDirect?: boolean;
}

/** Registers what a client must do with any server: the same cases run on ours and on a real one. */
export function clientCases(
  startServer: () => Promise<CasesServer>,
  { forgetsEarly = false, isDirect = false }: CasesOptions = {},
): void {
  let server: CasesServer;
  let client: Client;
  const warnings: ServerWarning[] = [];
  let namespaces = 0;

  /** A namespace of its own for each test. */
  const freshNamespace = async (): Promise<string> => {
    const name = `cases-${++namespaces}`;
    await client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return name;
  };
  const freshMaps = async (count: number): Promise<string> => {
    const namespace = await freshNamespace();
    for (let number = 0; number < count; number++) {
      await client.create(ConfigMaps, configMap(namespace, `m${number}`));
    }
    return namespace;
  };

  before(async () => {
    server = await startServer();
    client = createClient(isDirect ? directTransportTo(server) : transportTo(server), {
      onWarning: (warning) => warnings.push(warning),
    });
    await client.create(CustomResourceDefinitions, widgetDefinition());
    await served(client);
  });
  after(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const place: CasesPlace = { client: () => client, warnings, freshNamespace, freshMaps };
  verbCases(place);
  refusalCases(place);
  listCases(place);
  watchCases(place, forgetsEarly);
  discoveryCases(place);
}
