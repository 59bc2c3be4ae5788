import type { FoundGate, PathGate } from '../access/guard.ts';
import type { Bus, Emitted } from '../core/bus/bus.ts';
import type { Listener } from '../core/bus/followers.ts';
import type { RouteKind } from '../core/bus/route-index.ts';
import type { Clock, Random } from '../core/clock.ts';
import type { Problem } from '../core/errors.ts';
import type { FigureSource } from '../core/figure.ts';
import type { Log } from '../core/log/log.ts';
import type { Memory } from '../core/memory.ts';
import type { AnswerListener } from '../core/request/answered-request.ts';
import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import type { Passwords } from '../core/secret/password.ts';
import type { RootSecret } from '../core/secret/secret.ts';
import type { Database, SystemTable } from '../database/database.ts';
import type { SlowReads } from '../database/load/slow-reads.ts';
import type { HtmlCleaner } from '../model/field/field-kind.ts';
import type { Json } from '../model/json/value-schema.ts';
import type { CallModel, HookModel, Model } from '../model/model.ts';
import type { Mailer } from '../outbound/mail.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Files } from '../project/file-store.ts';
import type { Images } from '../project/image.ts';
import type { CallShape } from './call/call-shape.ts';
import type { WorkWatch } from './emit/work-watch.ts';
import type { EventFacts } from './event/facts.ts';
import type { JobPlan } from './job.ts';
import type { Languages } from './language/languages.ts';
import type { Metrics } from './metrics.ts';
import type { Operation } from './operation.ts';
import type { ChangeRecorder } from './recorder.ts';
import type { ReloadMigration } from './reload-migration.ts';
import type { Sandboxes } from './sandbox.ts';
import type { OwnTable } from './table/own-table.ts';

/**
 * A feature: what it adds for a model. All features have this shape and none imports another. They share
 * facts through the model and behaviour through the bus.
 */
export interface Feature {
  readonly name: string;
  /** Pure: the same facts give the same contribution. */
  contribute(facts: Facts): Contribution;
}

/** An event with the request and the response that it is emitted with. */
export interface EventExchange {
  readonly event: string;
  readonly request: Request;
  readonly response: Response;
}

/** Input of the features: the model, and its calls and hooks including hand-written ones. */
export interface Facts {
  readonly model: Model;
  readonly calls: readonly CallPlan[];
  readonly hooks: readonly HookModel[];
  readonly jobs: readonly JobPlan[];
  readonly isDevelopment: boolean;
}

export interface CallPlan extends CallModel {
  /** The hand-written handler; a defined call emits its definition's event instead. */
  readonly handler: Listener | undefined;
  /** The shapes that a hand-written call says of its body and its results. */
  readonly body?: CallShape | undefined;
  readonly answer?: CallShape | undefined;
  readonly status?: number | undefined;
}

export interface Contribution {
  readonly tables?: readonly SystemTable[];
  /** What it lists of its tables. */
  readonly ownTables?: readonly OwnTable[];
  readonly events?: readonly EventRecord[];
  readonly routes?: readonly RouteContribution[];
  /** Background work, such as the delivery of web hooks. */
  readonly workers?: readonly ((context: Context) => Worker)[];
  /**
   * Runs once when the plan becomes active, such as creating apps from their files. Writes only what differs.
   */
  readonly seeds?: readonly ((context: Context) => Promise<void>)[];
  /**
   * Writes rows that must commit with an event. The event's own behaviour calls it inside its write, after it
   * succeeded: so a web hook's row commits with the data that it reports.
   */
  readonly commits?: readonly ((context: Context) => CommitListener)[];
  /** Records changes of rows; undefined if it records none. */
  readonly recorder?: (context: Context) => ChangeRecorder | undefined;
  /** Judge requests before static files and before the first listener, project listeners included. */
  readonly gates?: readonly ((context: Context) => PathGate)[];
  /** Called after a route's answer was sent. For counters in memory, so it must be fast. */
  readonly answers?: readonly ((context: Context) => AnswerListener)[];
  /** Metrics for operators; read unless `server.metrics` is `off`. */
  readonly figures?: readonly ((context: Context) => FigureSource)[];
  readonly problems?: readonly Problem[];
}

/** Listens to changes before they commit. */
export interface CommitListener {
  /** Whether it does anything for an event and its stage. A write without listeners needs no transaction of its own. */
  handles(event: string, request: Request): boolean;
  /** Called inside the write with the event's name, stage and results. */
  commit(event: string, request: Request, response: Response): Promise<void>;
}

/** An event of Treadle with its behaviour. */
export interface EventRecord extends EventFacts {
  /** Default 0; a higher one runs first. */
  readonly priority?: number;
  listen(context: Context): Listener;
}

export interface RouteContribution {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL';
  readonly path: string;
  readonly description: string;
  /**
   * `page` loads the session and rejects cross-site posts; `api` ignores cookies and answers JSON; `open`
   * does neither (health, metadata, styles). Default `page`.
   */
  readonly kind?: RouteKind;
  /** Maximum bytes of the body, if different from the settings. */
  readonly bodyBytes?: number;
  /**
   * True if forms may have up to `server.uploadBytes`, because the route accepts files. Default: the limit of
   * other bodies.
   */
  readonly takesFiles?: boolean;
  /**
   * True if a body of the type `text/plain` that is an object or a list in JSON is read as JSON. Only for routes that ignore cookies: a
   * form of any site can send such a body.
   */
  readonly isTextJson?: boolean;
  /** True if the listener reads the body itself, as it arrives, with `receiveFile` of its request. */
  readonly isStreamed?: boolean;
  /** True if early refusals by the runtime have the form of RFC 6749 section 5.2 instead of problem details. */
  readonly isOAuth?: boolean;
  /**
   * True if it runs before the project's listeners, so that none of them, such as a page for every path,
   * answers instead.
   */
  readonly isFirst?: boolean;
  readonly listen: (context: Context) => Listener;
}

export interface Worker {
  /** Stops it: running work ends or goes back to the queue. */
  stop(): Promise<void>;
  /** Notifies it that there may be work. */
  wake(): void;
  /**
   * The process is about to end and waits for running requests: ends what they wait for here. `stop` follows.
   */
  hurry?(): Promise<void>;
}

/** What a behaviour may use. One per plan; a request keeps the context that it started with. */
export interface Context {
  readonly plan: Plan;
  readonly services: Services;
  /** What features keep for as long as the plan lives. */
  readonly memory: Memory;
  emit(event: string, request: Request, response: Response): Promise<Emitted>;
  /**
   * Runs the `after` listeners of an event and then its commit listeners. A behaviour of the kind `self` calls it
   * inside its {@link Context.write}, with the whole row as results.
   *
   * @returns The keys of the results that an `after` listener changed, with their values.
   */
  committing(event: string, request: Request, response: Response): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The write of an event's behaviour: a unit that shares its commit with others. If an `after` listener follows the event,
   * the unit has a transaction of its own; on PostgreSQL it runs again after a deadlock, with request and response as
   * they were.
   *
   * @param isAlone True if the unit also runs listeners of other events. Default false.
   */
  write(exchange: EventExchange, unit: () => Promise<void>, isAlone?: boolean): Promise<void>;
  /** Watches what project code does in its transactions. */
  readonly watching: WorkWatch;
  /** Whether an `after` or a commit listener does anything for an event and its stage. */
  hasListener(event: string, request: Request): boolean;
  readonly recorder?: ChangeRecorder | undefined;
  /** The gates of a path; undefined if it is not guarded. */
  findGate(path: string): FoundGate | undefined;
  /** Informs the features how a request was answered; called by the runtime. */
  readonly answered?: AnswerListener;
}

/** A frozen plan: what the model compiled to. */
export interface Plan extends Facts {
  readonly bus: Bus;
  readonly events: readonly EventFacts[];
  /** True in development and in tests: results that break the shape that the code says are logged. */
  readonly checksResults: boolean;
  readonly routes: readonly RouteContribution[];
  readonly tables: readonly SystemTable[];
  /** By name: the tables that the admin section and commands list. */
  readonly ownTables: ReadonlyMap<string, OwnTable>;
  /**
   * Renders one of the project's mails, `app/www/src/template/mail/<name>.{txt,html}`; undefined if the
   * project has no such template.
   */
  readonly renderMail: RenderMail;
  /** Renders the project's error page, `app/www/src/template/<status>.html`, else `error.html`; undefined if it has neither. */
  readonly renderError: RenderError;
  /** The site's languages; undefined if all its texts are English. */
  readonly languages: Languages | undefined;
}

/** Services that outlive a plan: created once by `boot.ts`, and kept through every reload. */
export interface Services {
  /** What features keep for as long as the application lives. */
  readonly memory: Memory;
  readonly database: Database;
  /** Tells of reads of the database that took long. */
  readonly slowReads: SlowReads;
  readonly clock: Clock;
  readonly random: Random;
  readonly passwords: Passwords;
  readonly log: Log;
  readonly secret: RootSecret;
  readonly outbound: Outbound;
  readonly mailer: Mailer;
  /** Client secret of a sign-in provider, from `AUTH_<NAME>_SECRET`; undefined if it is not set. */
  providerSecret(provider: string): string | undefined;
  readonly sessions: Sessions;
  readonly views: Views;
  readonly limiter: Limiter;
  readonly files: Files;
  /** Sizes of images; absent where nothing needs files. */
  readonly images?: Images;
  readonly metrics: Metrics;
  readonly operation: Operation;
  /** Cleans long HTML off the event loop. Absent in a process that does a single piece of work. */
  readonly html?: (HtmlCleaner & { close(): Promise<void> }) | undefined;
  /** Project root, absolute. */
  readonly root: string;
  /**
   * Public address without a trailing slash, such as `http://127.0.0.1:3000`; used for links, issuer and
   * redirects.
   */
  baseUrl(): string;
  /**
   * Ends the process after an error that it must not survive, such as a disk that lost a write. Logs it;
   * `treadle start` and `treadle dev` then exit at once with code 1, and no further request is answered.
   */
  fail(error: unknown): void;
  /**
   * Compiles the files again and serves them, in this process and then in all others: the workers of the same
   * `treadle start --workers`, and on PostgreSQL every process on the database, each from its own files.
   * Resolves when the workers have swapped, after at most 12 s; other processes follow soon. Call it outside
   * transactions.
   *
   * @param migration Permissions; without them production migrates nothing, and fails if something lacks (`DATABASE_BEHIND`).
   * @returns The problems. If one is an error, every process keeps the previous plan.
   */
  reload(migration?: ReloadMigration): Promise<readonly Problem[]>;
  /**
   * Compiles the project in a folder, such as a copy with a change to check, without serving it. Caches no
   * compiled code, so it costs as much as a start.
   *
   * @param root Absolute path.
   * @returns No plan if any problem is an error.
   */
  compile(root: string): Promise<{ readonly plan: Facts | undefined; readonly problems: readonly Problem[] }>;
  /** The API of a plan as an OpenAPI document. */
  describeApi(plan: Plan): Json;
  /** Absent in a sandbox, and in a process that does not serve. */
  readonly sandboxes?: Sandboxes;
}

/** A session, as its user sees it. */
export interface SessionFacts {
  /** Names it to {@link Sessions.endOne}; gives no access. */
  readonly id: string;
  /** Of the last visit that was noted, as the next. */
  readonly address: string;
  /** The `User-Agent` header. */
  readonly browser: string;
  /** Unix seconds, as the next. */
  readonly createdAt: number;
  /** Noted once a minute at most. */
  readonly seenAt: number;
  /** Whether the request came with it. */
  readonly isOwn: boolean;
}

/** Server-side sessions, stored by `http/session/`. Handlers change them through the request. */
export interface Sessions {
  /** Gives the session a new id at the end of this request: after login, logout or a change of privilege. */
  renew(request: Request): void;
  /** Ends this session: removes it and clears the cookie. */
  end(request: Request): void;
  /** Ends all sessions of a user (`auth_id`), except the given request's own. */
  endAll(authId: number, except?: Request): Promise<void>;
  /** A user's sessions, the last used first. The request's own is marked. */
  list(authId: number, request?: Request): Promise<readonly SessionFacts[]>;
  /** Ends the session of that id; false if the user has no such session. */
  endOne(authId: number, id: string): Promise<boolean>;
  /** A token for forms, bound to the session; pages send it as the hidden field `csrf`. */
  formToken(request: Request): string;
}

/** The built-in Handlebars pages in `templates/<feature>/<name>.html`. */
export interface Views {
  /** Renders a template with data; escapes by default. */
  render(feature: string, name: string, data: Readonly<Record<string, unknown>>): string;
  /** Renders one of Treadle's mails, `templates/mail/message/<name>.{txt,html}`. */
  readonly renderMail: RenderMail;
}

export type RenderError = (status: number, data: Readonly<Record<string, unknown>>) => string | undefined;

/** The parts of a mail, each where its template exists. */
export interface RenderedMail {
  /** The first line of the text, if it begins with `Subject:`. */
  readonly subject: string | undefined;
  readonly text: string | undefined;
  readonly html: string | undefined;
}

/** Renders the templates of a mail; undefined if there are none of that name. */
export type RenderMail = (name: string, data: Readonly<Record<string, unknown>>) => RenderedMail | undefined;

/** Counts per key and window, in memory, so that a read causes no write. */
export interface Limiter {
  /** Counts one. Gives what is left, and if nothing is, the seconds until one is free. */
  take(
    key: string,
    limit: number,
    windowSeconds: number,
  ): {
    readonly isAllowed: boolean;
    readonly left: number;
    readonly retrySeconds: number;
    /** Seconds until the window ends. */
    readonly resetSeconds?: number;
  };
}
