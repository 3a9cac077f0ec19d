export { type Clock, systemClock } from './clock.ts';
export type * from './http/exchange.ts';
export type { UserInfo } from './objects/engine.ts';
export { type ApiServer, type ApiServerOptions, createApiServer, type Identity } from './server.ts';
export { type RunningServer, type StartOptions, startServer } from './start-server.ts';
export { ROOT_TENANT, type Store, type Tenant } from './storage/store.ts';
