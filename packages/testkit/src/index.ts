export { eventually, type Patience } from './eventually.ts';
export { type DeclaredConditions, expectSoundStatus } from './expect-sound-status.ts';
export {
  FAULTS,
  type Fault,
  type FaultProxy,
  type FaultProxyOptions,
  faultProxy,
} from './fault-proxy/fault-proxy.ts';
export { startServer, type TestApiServer, type TestServerOptions } from './start-server.ts';
