export { isAdmissionPlugin } from './admission/order.ts';
export { ensureServingPair } from './authn/serving-file.ts';
export { type Clock, systemClock } from './clock.ts';
export type { AskDirectly, DirectReader, DirectRequest, DirectSource } from './http/direct.ts';
export type * from './http/exchange.ts';
export type { Mount, MountedExchange, MountedResource } from './mounted/mount.ts';
export type { OwnRequest } from './mounted/own-requests.ts';
export {
  type MountedColumn,
  type MountedList,
  type MountedPrinter,
  showList,
  showObject,
} from './mounted/show.ts';
export type { UserInfo } from './objects/engine.ts';
export { type ApiServer, type ApiServerOptions, createApiServer, type Identity } from './server.ts';
export { serverVersion } from './server-version.ts';
export {
  type CompatibleOptions,
  type CompatibleServer,
  startCompatible,
} from './start-compatible.ts';
export {
  type AdminAccess,
  adminKubeconfig,
  type RunningServer,
  type StartOptions,
  startServer,
} from './start-server.ts';
export { createMemoryStore } from './storage/memory.ts';
export { ROOT_TENANT, type Store, type Tenant } from './storage/store.ts';
export { dialProblem } from './subresources/dial-problem.ts';
