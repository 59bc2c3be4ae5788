import type { Kysely } from 'kysely';
import type { Caller } from '../access/person.ts';
import type { Emitted } from '../core/bus/bus.ts';
import type { Listener } from '../core/bus/followers.ts';
import type { Log } from '../core/log/log.ts';
import type { Request } from '../core/request/request.ts';
import type { FlashKind, Response } from '../core/request/response.ts';
import type { Model } from '../model/model.ts';
import type { Access, Settings } from '../model/shape.ts';
import type { Custom, Emit, ReadRows, ReadValue, Tables, Upsert } from './emit/typed-emit.ts';
import type {
  CallHandler,
  EventHandler,
  EventOptions,
  FollowHandler,
  FollowOptions,
  OnHandler,
  OnOptions,
  RouteHandler,
  RouteOptions,
  ShapedCall,
} from './handler/type.ts';
import type { HandwrittenCall, HandwrittenHook } from './handwritten.ts';
import type { JobFacts, JobOptions, QueueOptions } from './job.ts';

/** What a job's handler gets. */
export interface JobRun<Data = Readonly<Record<string, unknown>>> extends JobFacts<Data> {
  /** The app, with the access of the system. */
  readonly app: App;
}

/** Does the work of a job. Throws to be tried again. It may run twice: a process that is killed leaves its jobs to others. */
export type JobHandler<Data = Readonly<Record<string, unknown>>> = (run: JobRun<Data>) => unknown;

/** A mail of the project. */
export interface Mail {
  /** Address, or a list of at most 100; each gets a mail of their own. */
  readonly to: string | readonly string[];
  /** Default: the first line of the `.txt` template, if it begins with `Subject:`. */
  readonly subject?: string;
  /** Name of the templates `app/www/src/template/mail/<name>.txt` and `.html`; one of them is enough. */
  readonly template: string;
  /** What the templates render, with `site.name` and `site.url`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Tag of the language of its recipients, such as `de`. Default: of each recipient’s account, else of the request. */
  readonly language?: string;
}

/** A template helper: gets the values, and last an object of the named ones. Runs while a page is rendered, so it cannot wait. */
export type TemplateHelper = (...values: readonly unknown[]) => unknown;

/** Which events of a name an `after` listener follows. */
export interface AfterOptions {
  /** A schema or several: those of the stage's `schema`, or of one of the two ends of a link. Default: every event. */
  readonly schema?: string | readonly string[];
}

/** What a `committed` listener gets. */
export interface Committed<Results = unknown> {
  /** The same in every attempt: use it as an idempotency key. */
  readonly id: string;
  /** Full name of the event. */
  readonly event: string;
  /** The results of the event: the whole row, with what `app.after` changed. The stage is not kept. */
  readonly results: Results;
  /** True if the results were larger than 60 kB: values of more than 1000 characters are left out. Read the row. */
  readonly isPartial: boolean;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the process stops, and after 15 minutes. */
  readonly signal: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: the results have the shape that the event gives them.
export type CommittedListener = (committed: Committed<any>) => unknown;

/** Of `app.committed`. */
export interface CommittedOptions extends AfterOptions {
  /** 1 to 20. Default 10, over 26 hours. */
  readonly attempts?: number;
}

/** Of `app.transaction`. */
export interface TransactionOptions {
  /**
   * 1 to 20. The transaction is serializable: if another one changed what it read, it is rolled back and `fn` runs again, with
   * the request and the response as they were, until it has run so often. Default: `fn` runs once, read committed.
   */
  readonly attempts?: number;
}

/**
 * What a package's function gets: `export default function shop(app: App) { … }`. It adds routes, listeners, calls and jobs while the
 * project loads; later it throws. Events, transactions, mails and jobs are started in listeners, not while loading.
 */
export interface App {
  /**
   * Adds a route: `app.get('/talk/:talk_id', (request, response) => …)`. `:name` is one segment and comes into the stage, `*` is one
   * segment, `**` the rest. What a handler returns answers: an object or a list are the results, a text is the content, a `Response` of
   * the web or a stream is sent. With options it gets the stage and `{ request, response }`. Several listeners run in order. A text is
   * the name of an event to emit. HEAD is answered, too.
   */
  get(path: string, ...listeners: (Listener | string)[]): this;
  get<const P extends string, S extends object | undefined = undefined>(
    path: P,
    options: RouteOptions<S>,
    handler: RouteHandler<P, S>,
  ): this;
  /** As `get`, for POST. A form of another site is refused before. */
  post(path: string, ...listeners: (Listener | string)[]): this;
  post<const P extends string, S extends object | undefined = undefined>(
    path: P,
    options: RouteOptions<S>,
    handler: RouteHandler<P, S>,
  ): this;
  /** As `get`, for PUT. */
  put(path: string, ...listeners: (Listener | string)[]): this;
  put<const P extends string, S extends object | undefined = undefined>(
    path: P,
    options: RouteOptions<S>,
    handler: RouteHandler<P, S>,
  ): this;
  /** As `get`, for PATCH. */
  patch(path: string, ...listeners: (Listener | string)[]): this;
  patch<const P extends string, S extends object | undefined = undefined>(
    path: P,
    options: RouteOptions<S>,
    handler: RouteHandler<P, S>,
  ): this;
  /** As `get`, for DELETE. */
  delete(path: string, ...listeners: (Listener | string)[]): this;
  delete<const P extends string, S extends object | undefined = undefined>(
    path: P,
    options: RouteOptions<S>,
    handler: RouteHandler<P, S>,
  ): this;
  /** As `get`, for every method. */
  all(path: string, ...listeners: (Listener | string)[]): this;
  all<const P extends string, S extends object | undefined = undefined>(
    path: P,
    options: RouteOptions<S>,
    handler: RouteHandler<P, S>,
  ): this;
  /**
   * As `get`, with the method as a text and a priority: a higher one runs first. Default 0.
   */
  route(method: string, path: string, listener: Listener | string, priority?: number): this;
  /**
   * Listens to an event, a pattern (`system-model-*`), a regular expression or a list of these, before Treadle's own listener: to
   * change the stage, or to refuse by `response.setError`. A higher priority runs first; the default is 0. With options it gets the
   * stage and `{ request, response }`, and what it returns answers the event: nothing after it runs. Returns a function that removes
   * the listener.
   */
  on(event: string | RegExp | readonly (string | RegExp)[], listener: Listener, priority?: number): () => void;
  on<const E extends string | RegExp, const S extends string = string>(
    event: E | readonly E[],
    options: OnOptions<S>,
    handler: OnHandler<E, S>,
  ): () => void;
  /**
   * Listens after an event's own behaviour, in the same transaction. The results are there: the whole row, which the
   * listener may change. `setError` or an error that it throws takes the change back. The event has a transaction of its own
   * then, which PostgreSQL may run again after a deadlock: queue what leaves the process. With options it gets the stage and
   * `{ row, before, request, response }`; the keys of an object that it returns are set in the results.
   *
   * @param event A name, a pattern (`system-model-*`) or a regular expression.
   * @throws LISTENER_INVALID
   */
  after(event: string | RegExp, listener: Listener): this;
  after<const E extends string | RegExp, const S extends string = string>(
    event: E,
    options: FollowOptions<S>,
    handler: FollowHandler<E, S>,
  ): this;
  /**
   * Listens once a change is durable: the call is queued with the change, and a job does it. At least once: a process that is
   * killed leaves it to others, and an error repeats it after 10 s, 1 min, 5 min and so on. `treadle job list` shows what failed.
   *
   * @param name Unique in the project, and kept: what is queued is found by it.
   * @throws COMMITTED_INVALID, COMMITTED_TWICE
   */
  committed(event: string | RegExp, name: string, listener: CommittedListener, options?: CommittedOptions): this;
  /**
   * Declares an event of the project: its stage and results, which `treadle types` makes known to `app.emit`. The handler runs after
   * the listeners of `app.on`. The object that it returns are the results; `treadle events` lists them.
   *
   * @throws EVENT_DECLARED_TWICE, EVENT_INVALID, REST_SHAPE_INVALID
   */
  event<S extends object | undefined = undefined, R extends object | undefined = undefined>(
    name: string,
    options: EventOptions<S, R>,
    handler: EventHandler<S, R>,
  ): this;
  /**
   * Emits an event. `app.emit(event, request, response)` gives these to its listeners and says how it went (`EMITTED`).
   * `app.emit(event, { schema: 'talk', talk_id: 7 })` makes a request with that stage, and returns the response. It acts for the user or
   * app of the current request. An expected failure is no exception: look at `response.isError()`.
   */
  readonly emit: Emit;
  /** Lets another route of this project answer, with the same request and response: the messages and typed values are still there. */
  reroute(method: string, path: string, request: Request, response: Response): Promise<Emitted>;
  /**
   * Runs all emits inside in one transaction; nothing leaves the process before it commits. It is rolled back if `fn` throws, if a
   * write inside fails, or if `fn` leaves an error on the response of the request. A nested one is rolled back alone.
   * @throws TRANSACTION_FAILED for a write after a failed one, and if nothing looked at the response of the failed one.
   */
  transaction<T>(fn: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Waits for a lock and holds it until the open transaction ends: no other transaction, of any process, holds a lock of the
   * same key meanwhile. Take it before you read what you decide by.
   *
   * @param key What is guarded, 1 to 255 characters, such as `talk 7`.
   * @throws LOCK_OUTSIDE outside a transaction; LOCK_SERIALIZABLE in a transaction with `attempts`; DATABASE_BUSY (503) if
   *   it is not free within 5 s.
   */
  lock(key: string): Promise<void>;
  /**
   * Adds the handler of a job that {@link App.queue} starts. It acts as the system, in some process that serves the
   * project, up to 4 of a name at once in each.
   */
  job<Data = Readonly<Record<string, unknown>>>(name: string, handler: JobHandler<Data>, options?: JobOptions): this;
  /**
   * Queues a job: with the open transaction if there is one, so that it never runs if that is rolled back.
   * @param data JSON of at most 64 kB; what the handler gets. Default `{}`.
   * @returns The id of the job, or of the one that waits with the same `key`.
   * @throws JOB_REFUSED (422) for data or options that are not valid.
   */
  queue(name: string, data?: unknown, options?: QueueOptions): Promise<number>;
  /**
   * Adds a job that runs by a cron pattern in UTC, once for all processes. After a time without a server it runs once,
   * not for every run that was missed. A run that is due while the one before has not ended is left out.
   */
  schedule(name: string, cron: string, handler: JobHandler<{ readonly at: string }>, options?: JobOptions): this;
  /**
   * Adds a function that ends what the project's code opened, such as a pool. It runs at the end of the process, of a
   * command, and after a reload for the code before it, the last added first; all together have 1.5 s.
   */
  onClose(close: () => unknown): this;
  /**
   * Adds a helper to the templates of all packages: `{{name value key=other}}` calls `fn(value, { key: other })`. Its result is
   * shown as text. A helper of Treadle with the same name is replaced. @throws PLAN_HELPER_NAME
   */
  helper(name: string, fn: TemplateHelper): this;
  /**
   * Read-only SQL over the tables of the schemas, for reports: a Kysely, typed by the file of `treadle types`. Rows are as they are
   * stored: JSON as text, flags as 0 and 1, removed rows included. A decimal is a number: on PostgreSQL its value, on SQLite the whole
   * number of its smallest unit, such as 1250 for 12.50. No role narrows it. Inside a transaction it sees what that has
   * written. @throws QUERY_WRITES
   */
  readonly query: Kysely<Tables>;
  /**
   * Every row of a search, for `for await (const row of app.rows('article', { filter, sort, expand }))`, by the rules of the person
   * who calls it, as an emit of `system-model-search`. It reads up to 500 rows at a time by cursor; in between nothing is open, so a
   * slow loop holds nobody. Rows that change meanwhile are read as they are then: none comes twice or is left out, unless its sort
   * values change. In a transaction it reads what that sees. `limit`, 1 to 10,000, is the most rows in all; default: no limit. No
   * `offset`, cursor, `total` or groups. @throws ROWS_SEARCH_INVALID; ROWS_REFUSED if the search is refused, with its status.
   */
  readonly rows: ReadRows;
  /** Counts the rows that `app.rows` would read. The database counts them with each call. It takes no `limit`. @throws as `rows` */
  readonly count: ReadValue<number>;
  /** Whether `app.rows` would read a row. It reads one at most. @throws as `rows` */
  readonly exists: ReadValue<boolean>;
  /**
   * Creates the row with this key and these values, or changes the one that has the key: `app.upsert('stock', { stock_code: 'A7' },
   * { stock_count: { increment: 1 } })`. The key is the primary key, a unique column, or the columns of a `unique` rule. It emits
   * `system-model-create` or `-update`, with listeners, rules and all, and parallel calls write one row. Removed rows have let
   * their unique values go: a new row is created. A refused call undoes itself alone.
   * @throws UPSERT_INVALID; UPSERT_REFUSED with the status and, in `detail`, the messages by column.
   */
  readonly upsert: Upsert;
  /**
   * Who asks: `{ kind, auth_id, profile_id, roles, app, scopes }`, the same on pages and in calls. Ask before `app.asSystem`, in which
   * it is the system.
   */
  caller(): Promise<Caller>;
  /** Whether this is the sandbox of an app: what the code does outside the site, such as a payment, should be a trial there. */
  readonly isSandbox: boolean;
  /** Milliseconds since 1970. It follows the clock of `treadle/test`, which `Date.now()` does not. */
  now(): number;
  /** Runs work with the access of the system: no role and no owner limits its emits. Returns what the work returns. */
  asSystem<T>(fn: () => T): T;
  /**
   * Queues a mail; it leaves once the open transaction commits.
   * @throws MAIL_REFUSED (422) for an address, subject or template that is not valid; MAIL_MISSING (503) without `MAIL_URL` in
   * production.
   */
  mail(mail: Mail): Promise<void>;
  /**
   * Adds a REST call at `/rest` and its path, with the guards, errors and docs of a call of `config/rest`. The handler returns the
   * results, or sets an error. With `body` or `answer` it gets the stage (parameters of the path and the checked body) and
   * `{ request, response }`, and both are typed.
   */
  rest(call: HandwrittenCall & { readonly body?: never; readonly answer?: never }, listener: Listener): this;
  rest<
    const P extends string,
    const W extends Access,
    B extends object | undefined = undefined,
    A extends object | undefined = undefined,
  >(call: ShapedCall<P, W, B, A>, handler: CallHandler<P, W, B, A>): this;
  /** Adds a web hook with the keys of one of `config/webhook`. */
  webhook(hook: HandwrittenHook): this;
  package(name: 'global'): GlobalPackage;
  /** The package of a folder, `app.package('/app/www')`, with its virtual methods; or `global`. @throws PACKAGE_UNKNOWN */
  package(name: string): Package;
  /** The settings of `config/settings.json`, with what the environment changes of them, such as `app.settings.name`; the project's own are `app.settings.custom`. */
  readonly settings: Omit<Settings, 'custom'> & { readonly custom: Custom };
  /** The definitions as Treadle has read them: `app.model.schemas.get('talk')`. */
  readonly model: Model;
  /** Writes lines to the log: `app.log.info('printed', { ticket: 7 })`; also `debug`, `warn` and `error`. Values that look secret are left out. */
  readonly log: Log;
}

// biome-ignore lint/suspicious/noExplicitAny: a virtual method has whatever shape its package gives it.
export type VirtualMethod = (...parameters: any[]) => any;

/** A folder of the project's own code, such as `/app/www`, with its virtual methods. */
export interface Package {
  /** Adds a virtual method: after `www.method('template', fn)` all code may call `app.package('/app/www').template(…)`. */
  method(name: string, fn: VirtualMethod): this;
  /** Renders the template `src/template/<name>.html` of this package; returns HTML. Throws if there is no such template. */
  view(name: string, data?: object): string;
  /** The folder of the package as an absolute path. */
  folder(): string;
  // biome-ignore lint/suspicious/noExplicitAny: see VirtualMethod.
  [method: string]: any;
}

/** What `app.package('global')` gives: messages and redirects of the current request. */
export interface GlobalPackage {
  /** Shows a message on the next page that this visitor opens, once. The kind is `info` (default), `success`, `warning` or `error`. */
  flash(message: string, kind?: FlashKind): void;
  /** Redirects the browser to a path of this site, with status 303. @throws REDIRECT_REFUSED (400) for another site. */
  redirect(path: string): void;
  /** The value of the hidden field `csrf` in a form of this visitor. It starts a session if the visitor has none. */
  formToken(): string;
  /** Adds a virtual method, as of any package: `app.package('global').method('stamp', fn)`. */
  method(name: string, fn: VirtualMethod): this;
  // biome-ignore lint/suspicious/noExplicitAny: see VirtualMethod.
  [method: string]: any;
}
