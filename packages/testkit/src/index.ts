export { eventually, type Patience } from './eventually.ts';
export { type DeclaredConditions, expectSoundStatus } from './expect-sound-status.ts';
export {
  FAULTS,
  type Fault,
  type FaultProxy,
  type FaultProxyOptions,
  faultProxy,
} from './fault-proxy/fault-proxy.ts';
export {
  type Measured,
  mountMetrics,
  type NodeUsage,
  type PodUsage,
  type Usage,
} from './metrics/mount-metrics.ts';
export { startServer, type TestApiServer, type TestServerOptions } from './start-server.ts';
