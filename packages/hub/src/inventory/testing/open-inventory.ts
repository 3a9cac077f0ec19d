import {
  type Access,
  type Client,
  createClient,
  createTransport,
  Namespaces,
} from '@flotilla/client';
import { isAlreadyExists, systemClock } from '@flotilla/machinery';
import {
  type Controller,
  type ControllerObserver,
  createManager,
  type Logger,
  silentObserver,
} from '@flotilla/runtime';
import { installKinds } from '../../install/install-kinds.ts';
import { type InventoryConfig, inventoryControllers } from '../inventory-controller.ts';
import { GATEWAY, SPACE } from './objects.ts';

/** Starts a server that cases take place on, or cleans up one that all of them share. */
export type StartHub = () => Promise<AsyncDisposable & { readonly access: Access }>;

/** A hub whose inventory is kept, until it is disposed of. */
export interface OpenInventory extends AsyncDisposable {
  readonly client: Client;
  readonly access: Access;
  /** Log lines of at least `warn`. */
  readonly complaints: readonly string[];
  /** Requests of the inventory that write, as `VERB plural name`. */
  readonly writes: readonly string[];
  /** Names that were looked at, as often as they were. */
  readonly passes: readonly string[];
  readonly start: (config?: Partial<InventoryConfig>) => void;
  readonly stop: () => Promise<void>;
  /** Calls for a pass. */
  readonly enqueue: (name: string) => void;
}

/** Opens a hub with our kinds, unless told otherwise, and starts its inventory. */
export async function openInventory(
  start: StartHub,
  options: Partial<InventoryConfig> & {
    /** Whether the hub has the CRD of ClusterProfiles. @default true */
    installs?: boolean;
    /** Others that run beside it. */
    controllers?: readonly Controller[];
    /** What the inventory writes through, for failures. @default the hub's client as it is */
    through?: (client: Client) => Client;
    /** As whom the inventory works. @default the administrator */
    as?: (access: Access) => Access;
  } = {},
): Promise<OpenInventory> {
  const { installs = true, controllers = [], through = same, as = same, ...config } = options;
  const server = await start();
  const client = createClient(
    createTransport({ access: server.access, clock: systemClock, random: () => 0.5 }),
  );
  const worker = createClient(
    createTransport({ access: as(server.access), clock: systemClock, random: () => 0.5 }),
  );
  await installKinds(client, { clusterProfiles: installs }, new AbortController().signal);
  await ensureNamespace(client, GATEWAY);
  const writes: string[] = [];
  const complaints: string[] = [];
  const passes: string[] = [];
  const observer: ControllerObserver = {
    ...silentObserver,
    around: ({ controller, name }, body) => {
      if (controller === 'inventory') passes.push(name);
      return body();
    },
  };
  let running: { readonly ended: Promise<void>; readonly ending: AbortController } | undefined;
  let inventory: Controller | undefined;

  const stop = async (): Promise<void> => {
    running?.ending.abort();
    await running?.ended;
    running = undefined;
  };
  const open: OpenInventory = {
    client,
    access: server.access,
    complaints,
    writes,
    passes,
    start: (changed = {}) => {
      const counted = counting(through(worker), writes);
      const all = inventoryControllers({
        client: counted,
        clock: hastyClock,
        config: {
          namespace: SPACE,
          includesUnregistered: true,
          includesHub: false,
          gatewayNamespace: GATEWAY,
          ...config,
          ...changed,
        },
      });
      inventory = all[0];
      const manager = createManager({
        client: worker,
        controllers: [...all, ...controllers],
        clock: systemClock,
        random: () => 0.5,
        logger: listening(complaints),
        observer,
      });
      const ending = new AbortController();
      running = { ending, ended: manager.run(ending.signal) };
    },
    stop,
    enqueue: (name) => inventory?.enqueue({ name }),
    [Symbol.asyncDispose]: async () => {
      await stop();
      await worker[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  open.start();
  return open;
}

const same = <T>(it: T): T => it;

/** Waits are shorter, so that nobody waits ten seconds for a CRD. */
const hastyClock = {
  ...systemClock,
  wait: (ms: number, signal?: AbortSignal) => systemClock.wait(ms / 100, signal),
};

function counting(client: Client, writes: string[]): Client {
  return {
    ...client,
    apply: (kind, object, options) => {
      const { subresource } = options;
      const what = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
      writes.push(`apply ${what} ${object.metadata.name ?? ''}`);
      return client.apply(kind, object, options);
    },
    delete: (kind, key, options) => {
      writes.push(`delete ${kind.plural} ${key.name}`);
      return client.delete(kind, key, options);
    },
  };
}

function listening(complaints: string[]): Logger {
  const complain = (message: string, { err }: { err?: unknown } = {}) => {
    complaints.push(`${message} ${String(err ?? '')}`);
  };
  const nothing = () => {};
  const logger: Logger = {
    debug: nothing,
    info: nothing,
    warn: complain,
    error: complain,
    child: () => logger,
  };
  return logger;
}

/** Makes a namespace unless it is there. */
export async function ensureNamespace(client: Client, name: string): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await client.create(Namespaces, namespace).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
