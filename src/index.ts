export type { Caller } from './access/person.ts';
export { type Application, type AppOptions, compileProject, createApp, renderDocs } from './boot.ts';
export { EMITTED, type Emitted } from './core/bus/bus.ts';
export type { Listener, Meta } from './core/bus/followers.ts';
export { type Problem, ProblemsError, TreadleError } from './core/errors.ts';
export { Registry } from './core/request/registry.ts';
export { Request, type RequestSource, type Route } from './core/request/request.ts';
export { type Flash, type FlashKind, type Messages, type Refusal, Response } from './core/request/response.ts';
export { type TextValues, translate } from './core/text/translate.ts';
export type { OwnStepRun as MigrationRun } from './database/own-step.ts';
export type { Model } from './model/model.ts';
export type { Settings } from './model/shape.ts';
export type {
  AfterOptions,
  App,
  Committed,
  CommittedOptions,
  GlobalPackage,
  JobHandler,
  JobRun,
  Mail,
  Package,
  TransactionOptions,
} from './plan/app.ts';
export type {
  Custom,
  CustomSettings,
  DetailOf,
  Emit,
  Events,
  Found,
  ModelEvent,
  ResponseOf,
  ResultsOf,
  RowOf,
  SchemaName,
  Schemas,
  StageOf,
  UpsertResult,
} from './plan/emit/typed-emit.ts';
export type {
  ActiveFilter,
  Compared,
  DecimalFilter,
  FlagFilter,
  Json,
  LinkFilter,
  ListFilter,
  NumberFilter,
  PageInput,
  PathFilter,
  PresenceFilter,
  Sorted,
  TextFilter,
  TreeFilter,
} from './plan/emit/typed-filter.ts';
export type { StandardSchema } from './plan/handler/standard-schema.ts';
export type { EventOptions, FollowExchange, HandlerExchange, RouteOptions } from './plan/handler/type.ts';
export type { HandwrittenCall, HandwrittenHook } from './plan/handwritten.ts';
export type { JobOptions, QueueOptions } from './plan/job.ts';
