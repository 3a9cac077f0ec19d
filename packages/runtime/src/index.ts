export {
  type Claim,
  type Condition,
  findCondition,
  isTrue,
  type SummaryReason,
  summaryReasons,
} from './conditions/condition.ts';
export {
  type ConditionSet,
  type ConditionSpec,
  gatesReady,
  isSkipped,
  type ReasonIn,
  reasonsOf,
  skipReason,
  type TypeIn,
  typesOf,
} from './conditions/condition-set.ts';
export type { Transition } from './conditions/ledger.ts';
export { REDACTED, redact, SecretValue } from './conditions/redact.ts';
export type { ReadyText } from './conditions/summarize.ts';
export { defineController } from './controller/define-controller.ts';
export type {
  Controller,
  ControllerContext,
  ControllerDefinition,
  PreparedController,
  RunBounds,
} from './controller/definition.ts';
export { type Resync, resyncAfter, Stalled, untilChanged, Waiting } from './controller/endings.ts';
export {
  type DeepReadonly,
  type OpenPass,
  openPass,
  type Pass,
  type PassOptions,
} from './controller/pass.ts';
export {
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  type Predicate,
  statusChanged,
  userChanged,
} from './controller/predicates.ts';
export {
  type DeriveFacts,
  type PhaseFacts,
  type Settled,
  type SettleOptions,
  settle,
} from './controller/settle.ts';
export {
  controllerReference,
  type Lookup,
  type Mapping,
  owns,
  type Watch,
  type WatchChoice,
  watch,
  watchIndexed,
} from './controller/watch.ts';
export {
  createRecorder,
  type EventNote,
  type EventRecorder,
  type RecorderOptions,
} from './events/recorder.ts';
export {
  createHealth,
  type HealthCheck,
  type HealthEndpoint,
  type HealthOptions,
} from './health/create-health.ts';
export type { Answer, Asked, Route } from './http/answer.ts';
export { type RoutesOptions, type RoutesServer, serveRoutes } from './http/serve-routes.ts';
export {
  createElector,
  type Elector,
  type ElectorOptions,
  type LeaderElection,
  type Term,
} from './leader-election/elector.ts';
export {
  createLogger,
  type LevelledLogger,
  type LoggerOptions,
  type LogLevel,
  type LogSink,
  logLevels,
} from './log/create-logger.ts';
export { createManager, type Manager, type ManagerOptions } from './manager.ts';
export { combineObservers } from './metrics/combine-observers.ts';
export { createMetrics, type Metrics, type MetricsOptions } from './metrics/create-metrics.ts';
export {
  counter,
  gauge,
  type InstrumentFacts,
  type Labels,
  readGauge,
  secondsHistogram,
} from './metrics/instruments.ts';
export { type ClientMeter, createClientMeter } from './metrics/meter-transport.ts';
export { createWebhookMeter } from './metrics/meter-webhooks.ts';
export {
  type ControllerFacts,
  type ControllerMeter,
  type ControllerObserver,
  type LogFields,
  type Logger,
  type PassFacts,
  type PassOutcome,
  passOutcomes,
  type QueueReading,
  silentLogger,
  silentObserver,
  type WorkPriority,
  type WriteTarget,
} from './observer.ts';
export type { RateLimits } from './queue/rate-limits.ts';
export {
  type AddOptions,
  createWorkQueue,
  type QueueMeter,
  type Taken,
  type WorkQueue,
} from './queue/work-queue.ts';
export { createTracing, type Tracing, type TracingOptions } from './tracing/tracing.ts';
export {
  mutatingWebhook,
  type Review,
  type Reviewer,
  validatingWebhook,
} from './webhook/admission.ts';
export type { TrustTarget } from './webhook/ca-bundle.ts';
export {
  type CertificateFilesOptions,
  createCertificateFiles,
} from './webhook/certificate-files.ts';
export {
  type CertificateKeeper,
  createCertificateKeeper,
  type KeeperOptions,
} from './webhook/certificate-keeper.ts';
export type { CertificatePair } from './webhook/certificates.ts';
export { ConversionError, type Converter, conversionWebhook } from './webhook/conversion.ts';
export {
  type AdmissionRequest,
  BadReview,
  type ReviewKind,
  type ReviewUser,
} from './webhook/review.ts';
export type { Webhook } from './webhook/webhook.ts';
export {
  startWebhookServer,
  type WebhookOutcome,
  type WebhookServer,
  type WebhookServerOptions,
} from './webhook/webhook-server.ts';
